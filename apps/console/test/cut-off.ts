/** Finds what a window cuts off: controls that cannot be reached, words that do not fit, a page that scrolls sideways. */

export interface CutOff {
  readonly what: 'cannot be reached' | 'does not fit' | 'the page scrolls sideways';
  readonly element: string;
}

/**
 * Evaluated in the page; a text, because the loader of TypeScript puts helpers into functions that a page does not have. Cells of
 * tables and lines of YAML may be longer than their place: they have a title, or their box scrolls.
 */
export const CUT_OFF = `(() => {
  const found = [];
  const report = (what, element) => found.push({ what, element: element.outerHTML.slice(0, 160) });
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) report('the page scrolls sideways', root);
  // What lies below something that is open on top of it is reached by closing that.
  const within = document.querySelector('dialog[open], .menu[open] .menu-body') ?? document.body;
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;
  const mayBeCut = (element) => element.closest('.cell, .yaml-box, .diff, .virtual, pre, .skip, .sr-only, .plot-box') !== null;
  for (const element of within.querySelectorAll('button, a, input, select, textarea, summary')) {
    if (!isShown(element) || mayBeCut(element) || element.disabled) continue;
    element.scrollIntoView({ block: 'center', inline: 'center' });
    // Of a link over two lines the middle may belong to neither.
    const [{ left, top, width, height }] = element.getClientRects();
    const [x, y] = [left + width / 2, top + height / 2];
    const hit = document.elementFromPoint(x, y);
    const isHit = hit !== null && (element.contains(hit) || hit.contains(element) && hit.closest('label, summary, a') !== null);
    if (!isHit || left < -1 || left + width > innerWidth + 1) report('cannot be reached', element);
  }
  for (const element of within.querySelectorAll('h1, h2, h3, p, dt, dd, th, td, li, button, label, summary, figcaption, .status, .chip')) {
    if (!isShown(element) || mayBeCut(element)) continue;
    const { overflowX } = getComputedStyle(element);
    if (overflowX !== 'auto' && overflowX !== 'scroll' && element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0)
      report('does not fit', element);
  }
  return found;
})()`;
