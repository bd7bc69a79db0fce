/** Expressions of policies that cost little and do much, with the data of the ConfigMap that they see. */

const BIG = 'a'.repeat(50_000);
const many = Object.fromEntries(Array.from({ length: 1500 }, (_, key) => [`k${key}`, `v${key}`]));
const few = Object.fromEntries(Array.from({ length: 120 }, (_, key) => [`k${key}`, 'v']));
const bigdata = { k: BIG, l: 'ab'.repeat(200) };

/** An expression and the data of an object. */
export type HostileCase = readonly [expression: string, data: Readonly<Record<string, string>>];

/** By what they do. Loops over 120 keys, one within the other, are 14 400 turns. */
export const HOSTILE_EXPRESSIONS: Readonly<Record<string, HostileCase>> = {
  triple: ['object.data.all(a, object.data.all(b, object.data.all(c, (a + b + c).size() > 0)))', few],
  matchesNested: ['object.data.k.matches("(a*)*b")', bigdata],
  matchesLoop: ['object.data.all(a, object.data.all(b, (a + b).matches("^(k|v)+[0-9]{1,50}$")))', few],
  matchesDynamic: [
    'object.data.all(a, object.data.all(b, "x".matches("[a-z]{1,100}(" + a + "|" + b + "){1,20}") || true))',
    few,
  ],
  replace: ['object.data.k.replace("a", "bbbbbbbbbbbbbbbbbbbb").size() > 0', bigdata],
  split: ['object.data.k.split("").size() > 0', bigdata],
  splitJoin: ['object.data.all(x, object.data.l.split("").join("-").size() > 0)', { ...few, l: 'ab'.repeat(2000) }],
  lower: ['object.data.all(x, object.data.l.lowerAscii().size() > 0)', { ...few, l: 'ab'.repeat(20000) }],
  range: ['lists.range(100000).size() > 0', few],
  rangeLoop: ['lists.range(1000).all(i, lists.range(1000).size() > 0)', few],
  sort: [`lists.range(1000).map(i, 1000 - i).sort().size() > 0`, few],
  sortStrings: ['object.data.map(k, k + "x").sort().size() > 0', many],
  distinct: ['object.data.map(k, k).distinct().size() > 0', many],
  sets: ['sets.contains(object.data.map(k, k), object.data.map(k, k))', many],
  inList: ['object.data.map(k, k).all(k, k in object.data.map(j, j))', few],
  flatten: [`lists.range(100).map(i, lists.range(100)).flatten().size() > 0`, few],
  compare: ['object.data.all(k, object == object)', many],
  compareFew: ['object.data.all(k, object.data == object.data)', few],
  zones: [
    'object.data.all(a, object.data.all(b, timestamp("2020-01-01T00:00:00Z").getHours("America/New_York") >= 0))',
    few,
  ],
  zonesMany: [
    'object.data.all(a, object.data.all(b, timestamp("2020-01-01T00:00:00Z").getDayOfYear("Europe/Berlin") >= 0))',
    few,
  ],
  timestamps: [
    'object.data.all(a, object.data.all(b, timestamp("2020-01-01T00:00:00Z") + duration("3h4m5.678s") > timestamp("2010-01-01T00:00:00Z")))',
    few,
  ],
  format: [
    'object.data.all(a, object.data.all(b, "%s %d %f %e %x %X %b".format([a, 1, 1.5, 1.5, 255, b, 7]).size() > 0))',
    few,
  ],
  formatBig: ['"%s".format([object]).size() > 0', many],
  quantity: [
    'object.data.all(a, object.data.all(b, quantity("123456789.123456789Gi").add(quantity("1m")).compareTo(quantity("5E")) < 9))',
    few,
  ],
  quantityLong: ['object.data.all(a, isQuantity(object.data.q) || true)', { ...few, q: '9'.repeat(4000) }],
  ip: ['object.data.all(a, object.data.all(b, cidr("2001:db8::/32").containsIP("2001:db8:1::ffff")))', few],
  url: [
    'object.data.all(a, object.data.all(b, url("https://user@example.com:8080/a/b?c=d&e=f").getQuery().size() > 0))',
    few,
  ],
  urlBig: ['isURL("https://x/" + object.data.k)', bigdata],
  semver: ['object.data.all(a, object.data.all(b, semver("1.2.3-alpha.1+b.c").isLessThan(semver("1.2.4"))))', few],
  bytes: ['object.data.all(a, bytes(object.data.l).size() > 0)', { ...few, l: 'é'.repeat(20000) }],
  sizeUnicode: ['object.data.all(a, object.data.l.size() > 0)', { ...few, l: '😀'.repeat(12000) }],
  charAt: ['object.data.all(a, object.data.l.charAt(11000) != "x")', { ...few, l: '😀'.repeat(12000) }],
  substring: ['object.data.all(a, object.data.l.substring(5, 11000).size() > 3)', { ...few, l: '😀'.repeat(12000) }],
  indexOf: [
    'object.data.all(a, object.data.l.indexOf("aaaaaaaaaaaaaaaaaaaaaaaab") < 0)',
    { ...few, l: 'a'.repeat(30000) },
  ],
  lastIndexOf: [
    'object.data.all(a, object.data.l.lastIndexOf("baaaaaaaaaaaaaaaaaaaaaa") < 0)',
    { ...few, l: 'a'.repeat(30000) },
  ],
  findAll: ['object.data.k.findAll("a").size() > 0', bigdata],
  contains: [
    'object.data.all(a, object.data.l.contains("aaaaaaaaaaaaaaaaab") == false)',
    { ...few, l: 'a'.repeat(30000) },
  ],
  bigLiteral: [`[${'1,'.repeat(5000)}1].size() > 0`, few],
  arithmetic: ['object.data.all(a, object.data.all(b, 9223372036854775807 - 5 * 3 / 2 % 7 > 1))', few],
  doubles: [
    'object.data.all(a, object.data.all(b, string(1.7976931348623157e308).size() > 0 && double("1.5") > 1.0))',
    few,
  ],
  formatNamed: [
    'object.data.all(a, object.data.all(b, format.dns1123Subdomain().validate("aaaa.bbbb.cccc") == optional.none()))',
    few,
  ],
  namedBig: ['format.dns1123Subdomain().validate(object.data.k) != optional.none()', bigdata],
  transformMap: ['object.data.transformMap(k, v, object.data.transformMap(a, b, a)).size() > 0', few],
  authorizer: ['object.data.all(a, !authorizer.group(a).resource("pods").check("get").allowed() || true)', few],
  charAt2: [
    'object.data.all(a, object.data.all(b, object.data.l.charAt(11000) != "x"))',
    { ...few, l: '😀'.repeat(12000) },
  ],
  charAtAscii2: [
    'object.data.all(a, object.data.all(b, object.data.l.charAt(29000) != "x"))',
    { ...few, l: 'a'.repeat(30000) },
  ],
  size2: ['object.data.all(a, object.data.all(b, object.data.l.size() > 0))', { ...few, l: '😀'.repeat(12000) }],
  substring2: [
    'object.data.all(a, object.data.all(b, object.data.l.substring(11000, 11001).size() == 1))',
    { ...few, l: '😀'.repeat(12000) },
  ],
  indexOf2: [
    'object.data.all(a, object.data.all(b, object.data.l.indexOf("b", 11000) < 0))',
    { ...few, l: '😀'.repeat(12000) },
  ],
  lastIndexOf2: [
    'object.data.all(a, object.data.all(b, object.data.l.lastIndexOf("b") < 0))',
    { ...few, l: '😀'.repeat(12000) },
  ],
  startsWith2: [
    'object.data.all(a, object.data.all(b, object.data.l.startsWith(object.data.l)))',
    { ...few, l: '😀'.repeat(12000) },
  ],
  eq2: ['object.data.all(a, object.data.all(b, object.data.l == object.data.l))', { ...few, l: '😀'.repeat(12000) }],
  trim2: [
    'object.data.all(a, object.data.all(b, object.data.l.trim().size() > 0))',
    { ...few, l: ' '.repeat(30000) + 'x' },
  ],
  quote2: [
    'object.data.all(a, object.data.all(b, strings.quote(object.data.l).size() > 0))',
    { ...few, l: 'a'.repeat(30000) },
  ],
  int2: ['object.data.all(a, object.data.all(b, string(int("123456789")) == "123456789"))', few],
  url2: ['object.data.all(a, isURL("https://x/" + object.data.l))', { ...few, l: 'a'.repeat(30000) }],
  url32: [
    'object.data.all(a, url("https://x/?" + object.data.l).getQuery().size() > 0)',
    { ...few, l: 'a=b&'.repeat(7000) },
  ],
  list2: ['object.data.all(a, object.data.all(b, lists.range(50)[49] == 49))', few],
  slice2: ['object.data.all(a, lists.range(5000).slice(0, 4999).size() > 0)', few],
  min2: ['object.data.all(a, lists.range(500).max() > 0)', few],
  plusList2: ['object.data.all(a, (lists.range(400) + lists.range(400)).size() > 0)', few],
  opt2: ['object.data.all(a, object.data.all(b, object.?data[?a].orValue("x") != "y"))', few],
  existsOne2: ['object.data.all(a, object.data.exists_one(b, b == a))', few],
  dyn2: ['object.data.all(a, object.data.all(b, type(dyn(a)) == string && string(dyn(b)) != ""))', few],
  dur2: [
    'object.data.all(a, object.data.all(b, string(duration("1h2m3.5s")).size() > 0 && string(timestamp("2020-01-01T00:00:00Z")).size() > 0))',
    few,
  ],
  sizeAscii: ['object.data.all(a, object.data.all(b, object.data.l.size() > 0))', { ...few, l: 'a'.repeat(60000) }],
  sizeTwo: ['object.data.all(a, object.data.all(b, object.data.l.size() > 0))', { ...few, l: 'ж'.repeat(25000) }],
  charAtTwo: [
    'object.data.all(a, object.data.all(b, object.data.l.charAt(5) == "ж"))',
    { ...few, l: 'ж'.repeat(25000) },
  ],
  int: ['object.data.all(a, object.data.all(b, int(object.data.l) > 0 || true))', { ...few, l: '9'.repeat(60000) }],
  int0: [
    'object.data.all(a, object.data.all(b, int(object.data.l) == 7 || true))',
    { ...few, l: '0'.repeat(60000) + '7' },
  ],
  double: [
    'object.data.all(a, object.data.all(b, double(object.data.l) > 0.0 || true))',
    { ...few, l: '9'.repeat(60000) },
  ],
  uint: ['object.data.all(a, object.data.all(b, uint(object.data.l) > 0u || true))', { ...few, l: '9'.repeat(60000) }],
  timestamp: [
    'object.data.all(a, object.data.all(b, timestamp(object.data.l) == timestamp("2020-01-01T00:00:00Z") || true))',
    { ...few, l: '2020-01-01T00:00:00.' + '9'.repeat(60000) + 'Z' },
  ],
  duration: [
    'object.data.all(a, object.data.all(b, duration(object.data.l) > duration("1s") || true))',
    { ...few, l: '1ms'.repeat(20000) },
  ],
  bool: ['object.data.all(a, object.data.all(b, bool(object.data.l) || true))', { ...few, l: 'true'.repeat(15000) }],
  isIP: ['object.data.all(a, object.data.all(b, isIP(object.data.l) || true))', { ...few, l: '1:'.repeat(30000) }],
  isCIDR: [
    'object.data.all(a, object.data.all(b, isCIDR(object.data.l) || true))',
    { ...few, l: '1'.repeat(30000) + '/' + '1'.repeat(30000) },
  ],
  isSemver: [
    'object.data.all(a, object.data.all(b, isSemver(object.data.l) || true))',
    { ...few, l: '1.2.3-' + '1.'.repeat(25000) + 'a' },
  ],
  isQuantity: [
    'object.data.all(a, object.data.all(b, isQuantity(object.data.l) || true))',
    { ...few, l: '9'.repeat(60000) },
  ],
  isQuantity2: [
    'object.data.all(a, object.data.all(b, isQuantity(object.data.l) || true))',
    { ...few, l: '9'.repeat(4000) },
  ],
  dns: [
    'object.data.all(a, object.data.all(b, format.dns1123Subdomain().validate(object.data.l) != optional.none()))',
    { ...few, l: 'a-.'.repeat(20000) },
  ],
  byte: [
    'object.data.all(a, object.data.all(b, format.byte().validate(object.data.l) != optional.none() || true))',
    { ...few, l: 'a'.repeat(60000) },
  ],
  uri: [
    'object.data.all(a, object.data.all(b, format.uri().validate(object.data.l) != optional.none() || true))',
    { ...few, l: 'https://x/' + 'a%20'.repeat(15000) },
  ],
  datetime: [
    'object.data.all(a, object.data.all(b, format.datetime().validate(object.data.l) != optional.none() || true))',
    { ...few, l: '2020-01-01T00:00:00.' + '9'.repeat(60000) + 'Z' },
  ],
  labelValue: [
    'object.data.all(a, object.data.all(b, format.labelValue().validate(object.data.l) != optional.none() || true))',
    { ...few, l: 'a-.'.repeat(20000) },
  ],
  qualified: [
    'object.data.all(a, object.data.all(b, format.qualifiedName().validate(object.data.l) != optional.none() || true))',
    { ...few, l: 'a-.'.repeat(20000) },
  ],
  formatBigAgain: ['object.data.all(a, object.data.all(b, "%s".format([object]).size() > 0))', many],
  formatStr: [
    'object.data.all(a, object.data.all(b, "%s".format([object.data.l]).size() > 0))',
    { ...few, l: 'a'.repeat(60000) },
  ],
  formatX: [
    'object.data.all(a, object.data.all(b, "%x".format([object.data.l]).size() > 0))',
    { ...few, l: 'a'.repeat(60000) },
  ],
  formatPrec: ['object.data.all(a, object.data.all(b, "%.1000f".format([1.5]).size() > 0 || true))', few],
  getQuery: [
    '[url("https://x/?" + object.data.l)].all(u, object.data.all(a, object.data.all(b, u.getQuery().size() > 0)))',
    { ...few, l: 'a=b&'.repeat(7000) },
  ],
  getPath: [
    '[url("https://x/" + object.data.l)].all(u, object.data.all(a, object.data.all(b, u.getEscapedPath().size() > 0)))',
    { ...few, l: 'a b/'.repeat(7000) },
  ],
  urlEq: [
    '[url("https://x/" + object.data.l)].all(u, object.data.all(a, object.data.all(b, u == u)))',
    { ...few, l: 'ab/'.repeat(9000) },
  ],
  semverLess: [
    '[semver("1.2.3-" + object.data.l)].all(u, object.data.all(a, object.data.all(b, !u.isLessThan(u))))',
    { ...few, l: 'a1.'.repeat(7000) + 'a' },
  ],
  quantityInt: [
    '[quantity(object.data.l)].all(u, object.data.all(a, object.data.all(b, u.isInteger() || u.asApproximateFloat() > 0.0)))',
    { ...few, l: '0.' + '9'.repeat(4000) },
  ],
  keysExists: ['object.data.all(a, object.data.all(b, object.data.exists(k, true)))', many],
  mapSize: ['object.data.all(a, object.data.all(b, object.data.size() > 0))', many],
  mapIn: ['object.data.all(a, object.data.all(b, a in object.data && has(object.data.k1)))', many],
  mapSizeConst: [
    'lists.range(200).all(a, lists.range(200).all(b, object.data.size() > 0 && object.data.exists(k, true)))',
    many,
  ],
  objectEq: ['lists.range(200).all(a, lists.range(200).all(b, object.metadata == object.metadata))', many],
  listPlusIndex: [
    'lists.range(200).all(a, (lists.range(100) + lists.range(100) + lists.range(100) + lists.range(100))[399] == 99)',
    many,
  ],
  replaceEmpty: [
    'object.data.all(a, object.data.all(b, object.data.l.replace("zz", "").size() > 0))',
    { ...few, l: 'z'.repeat(30000) },
  ],
  stringsConcatKey: [
    'object.data.all(a, object.data.all(b, (object.data.l + a) in object.data || true))',
    { ...few, l: 'z'.repeat(30000) },
  ],
  sortBy: ['lists.range(300).all(i, [3,2,1].sortBy(x, x).size() == 3)', few],
  ordered: ['object.data.all(a, object.data.l < object.data.l + "b")', { ...few, l: 'a'.repeat(30000) }],
};
