// The search: the index is loaded with the first look at the field, and stays in memory.
const search = document.querySelector('search');
const input = search.querySelector('input');
const results = search.querySelector('ol');
const root = search.dataset.root;
const MOST = 12;
let loading;

function load() {
  loading ??= Promise.all([
    import(new URL('minisearch.js', import.meta.url).href),
    fetch(`${root}/search-index.json`).then((answer) => answer.text()),
  ]).then(([{ default: MiniSearch }, text]) =>
    MiniSearch.loadJSON(text, { fields: ['title', 'page', 'text'], storeFields: ['title', 'page', 'path'] }),
  );
  return loading;
}

async function show() {
  const words = input.value.trim();
  const index = await load();
  if (words !== input.value.trim()) return;
  const found =
    words === ''
      ? []
      : index.search(words, { prefix: true, fuzzy: 0.15, boost: { title: 4, page: 2 }, combineWith: 'AND' });
  results.replaceChildren(
    ...found.slice(0, MOST).map(({ title, page, path }) => {
      const link = document.createElement('a');
      link.href = `${root}/../${path}`;
      const where = document.createElement('small');
      where.textContent = title === page ? '' : page;
      link.append(title, where);
      const item = document.createElement('li');
      item.append(link);
      return item;
    }),
  );
  if (words !== '' && found.length === 0) results.textContent = 'Nothing found';
  results.hidden = words === '';
}

search.hidden = false;
input.addEventListener('focus', load, { once: true });
input.addEventListener('input', show);
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement !== input) {
    event.preventDefault();
    input.focus();
  }
  if (event.key === 'Escape') results.hidden = true;
  if (event.key === 'Enter' && document.activeElement === input) results.querySelector('a')?.click();
});
