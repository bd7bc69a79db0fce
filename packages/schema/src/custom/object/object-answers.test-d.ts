/** What kube-apiserver 1.36 makes of the values. Recorded; the real tests compare it. */

/** An answer: `spec` of the created object and its unknown fields, or the errors. */
export interface ObjectAnswer {
  readonly object?: unknown;
  readonly unknown?: readonly string[];
  readonly errors?: readonly string[];
}

/** The answers by the name of the case, one for each value. */
export const OBJECT_ANSWERS: Readonly<Record<string, readonly ObjectAnswer[]>> = {
  text: [
    {
      object: {
        text: 'x',
      },
    },
    {
      errors: ['spec.text: Invalid value: "integer": spec.text in body must be of type string: "integer"'],
    },
    {
      errors: ['spec.text: Invalid value: "number": spec.text in body must be of type string: "number"'],
    },
    {
      errors: ['spec.text: Invalid value: "boolean": spec.text in body must be of type string: "boolean"'],
    },
    {
      errors: ['spec.text: Invalid value: "array": spec.text in body must be of type string: "array"'],
    },
    {
      errors: ['spec.text: Invalid value: "object": spec.text in body must be of type string: "object"'],
    },
    {
      object: {},
    },
    {
      object: {
        text: '',
      },
    },
  ],
  whole: [
    {
      object: {
        whole: 1,
      },
    },
    {
      errors: [
        'spec.whole: Invalid value: "number": spec.whole in body must be of type integer: "number"',
        '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.whole',
      ],
    },
    {
      errors: ['spec.whole: Invalid value: "string": spec.whole in body must be of type integer: "string"'],
    },
    {
      object: {},
    },
    {
      object: {
        whole: 1000,
      },
    },
    {
      object: {
        whole: -5,
      },
    },
    {
      errors: [
        'spec.whole: Invalid value: "number": spec.whole in body must be of type integer: "number"',
        '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.whole',
      ],
    },
    {
      object: {
        whole: 9007199254740992,
      },
    },
  ],
  whole32: [
    {
      object: {
        whole32: 2147483647,
      },
    },
    {
      errors: ['<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.whole32'],
    },
    {
      errors: ['<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.whole32'],
    },
    {
      errors: [
        'spec.whole32: Invalid value: "float64": spec.whole32 in body must be of type int32: "float64"',
        '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.whole32',
      ],
    },
    {
      errors: ['spec.whole32: Invalid value: "string": spec.whole32 in body must be of type integer: "string"'],
    },
    {
      errors: ['spec.whole32: Invalid value: "": spec.whole32 in body must be of type int32: ""'],
    },
    {
      errors: ['spec.whole32: Invalid value: "array": spec.whole32 in body must be of type integer: "array"'],
    },
    {
      errors: ['spec.whole32: Invalid value: "": spec.whole32 in body must be of type int32: ""'],
    },
  ],
  whole64: [
    {
      object: {
        whole64: 9007199254740992,
      },
    },
    {
      errors: [
        'spec.whole64: Invalid value: "float64": spec.whole64 in body must be of type int64: "float64"',
        '<nil>: Invalid value: "": Checked value must be of type integer with format int64 in spec.whole64',
      ],
    },
    {
      errors: ['spec.whole64: Invalid value: "string": spec.whole64 in body must be of type integer: "string"'],
    },
  ],
  number: [
    {
      object: {
        number: 1,
      },
    },
    {
      object: {
        number: 1.5,
      },
    },
    {
      errors: ['spec.number: Invalid value: "string": spec.number in body must be of type number: "string"'],
    },
    {
      object: {},
    },
  ],
  float: [
    {
      object: {
        float: 1.5,
      },
    },
    {
      errors: ['<nil>: Invalid value: "": Checked value must be of type number with format float in spec.float'],
    },
    {
      errors: ['spec.float: Invalid value: "string": spec.float in body must be of type number: "string"'],
    },
    {
      object: {
        float: 3,
      },
    },
  ],
  flag: [
    {
      object: {
        flag: true,
      },
    },
    {
      errors: ['spec.flag: Invalid value: "string": spec.flag in body must be of type boolean: "string"'],
    },
    {
      errors: ['spec.flag: Invalid value: "integer": spec.flag in body must be of type boolean: "integer"'],
    },
  ],
  list: [
    {
      errors: [
        'spec.list[1]: Invalid value: "integer": spec.list[1] in body must be of type string: "integer"',
        'spec.list[2]: Invalid value: "null": spec.list[2] in body must be of type string: "null"',
      ],
    },
    {
      errors: ['spec.list: Invalid value: "string": spec.list in body must be of type array: "string"'],
    },
    {
      errors: ['spec.list: Invalid value: "object": spec.list in body must be of type array: "object"'],
    },
    {
      errors: ['spec.list[0]: Invalid value: "array": spec.list[0] in body must be of type string: "array"'],
    },
  ],
  either: [
    {
      object: {
        either: 1,
      },
    },
    {
      object: {
        either: 'a',
      },
    },
    {
      errors: ['spec.either: Invalid value: "boolean": spec.either in body must be of type integer,string: "boolean"'],
    },
    {
      errors: ['spec.either: Invalid value: "number": spec.either in body must be of type integer,string: "number"'],
    },
    {
      object: {},
    },
    {
      errors: ['spec.either: Invalid value: "object": spec.either in body must be of type integer,string: "object"'],
    },
  ],
  eitherPattern: [
    {
      errors: ['spec.eitherPattern: Invalid value: 1: spec.eitherPattern in body should be greater than or equal to 3'],
    },
    {
      object: {
        eitherPattern: 3,
      },
    },
    {
      object: {
        eitherPattern: 'a',
      },
    },
    {
      errors: ['spec.eitherPattern: Invalid value: "b": spec.eitherPattern in body should match \'^a\''],
    },
    {
      errors: [
        'spec.eitherPattern: Invalid value: "boolean": spec.eitherPattern in body must be of type integer,string: "boolean"',
      ],
    },
  ],
  nullable: [
    {
      object: {
        nullable: null,
      },
    },
    {
      object: {
        nullable: 'x',
      },
    },
    {
      errors: ['spec.nullable: Invalid value: "integer": spec.nullable in body must be of type string: "integer"'],
    },
  ],
  short: [
    {
      errors: ['spec.short: Invalid value: "a": spec.short in body should be at least 2 chars long'],
    },
    {
      object: {
        short: 'ab',
      },
    },
    {
      errors: ['spec.short: Too long: may not be more than 5 bytes'],
    },
    {
      object: {
        short: 'éé',
      },
    },
    {
      object: {
        short: '😀😀😀😀😀',
      },
    },
    {
      errors: ['spec.short: Invalid value: "😀": spec.short in body should be at least 2 chars long'],
    },
    {
      errors: ['spec.short: Invalid value: "": spec.short in body should be at least 2 chars long'],
    },
  ],
  pattern: [
    {
      object: {
        pattern: 'aa',
      },
    },
    {
      errors: ['spec.pattern: Invalid value: "a": spec.pattern in body should be at least 2 chars long'],
    },
    {
      errors: ['spec.pattern: Invalid value: "b": spec.pattern in body should be at least 2 chars long'],
    },
    {
      errors: ['spec.pattern: Invalid value: "ab": spec.pattern in body should match \'^a+$\''],
    },
  ],
  unanchored: [
    {
      object: {
        unanchored: 'abc',
      },
    },
    {
      errors: ['spec.unanchored: Invalid value: "ac": spec.unanchored in body should match \'b\''],
    },
  ],
  bounds: [
    {
      errors: ['spec.bounds: Invalid value: 0: spec.bounds in body should be greater than or equal to 1'],
    },
    {
      object: {
        bounds: 1,
      },
    },
    {
      object: {
        bounds: 10,
      },
    },
    {
      errors: ['spec.bounds: Invalid value: 11: spec.bounds in body should be less than or equal to 10'],
    },
    {
      errors: [
        'spec.bounds: Invalid value: "number": spec.bounds in body must be of type integer: "number"',
        '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.bounds',
        'spec.bounds: Invalid value: 10.5: spec.bounds in body should be less than or equal to 10',
      ],
    },
    {
      errors: [
        'spec.bounds: Invalid value: "number": spec.bounds in body must be of type integer: "number"',
        '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.bounds',
        'spec.bounds: Invalid value: 0.5: spec.bounds in body should be greater than or equal to 1',
      ],
    },
  ],
  openBounds: [
    {
      errors: ['spec.openBounds: Invalid value: 1: spec.openBounds in body should be greater than 1'],
    },
    {
      object: {
        openBounds: 2,
      },
    },
    {
      errors: ['spec.openBounds: Invalid value: 10: spec.openBounds in body should be less than 10'],
    },
    {
      object: {
        openBounds: 9,
      },
    },
  ],
  brokenBounds: [
    {
      errors: [
        '<nil>: Invalid value: "": Minimum boundary value must be of type integer (default format) in spec.brokenBounds',
        'spec.brokenBounds: Invalid value: 1: spec.brokenBounds in body should be greater than or equal to 1.5',
        '<nil>: Invalid value: "": Maximum boundary value must be of type integer (default format) in spec.brokenBounds',
      ],
    },
    {
      errors: [
        '<nil>: Invalid value: "": Minimum boundary value must be of type integer (default format) in spec.brokenBounds',
        '<nil>: Invalid value: "": Maximum boundary value must be of type integer (default format) in spec.brokenBounds',
      ],
    },
    {
      errors: [
        '<nil>: Invalid value: "": Minimum boundary value must be of type integer (default format) in spec.brokenBounds',
        '<nil>: Invalid value: "": Maximum boundary value must be of type integer (default format) in spec.brokenBounds',
      ],
    },
    {
      errors: [
        '<nil>: Invalid value: "": Minimum boundary value must be of type integer (default format) in spec.brokenBounds',
        '<nil>: Invalid value: "": Maximum boundary value must be of type integer (default format) in spec.brokenBounds',
        'spec.brokenBounds: Invalid value: 10: spec.brokenBounds in body should be less than or equal to 9.5',
      ],
    },
  ],
  numberBounds: [
    {
      object: {
        numberBounds: 1,
      },
    },
    {
      errors: [
        'spec.numberBounds: Invalid value: 1.2: spec.numberBounds in body should be greater than or equal to 1.5',
      ],
    },
    {
      errors: [
        'spec.numberBounds: Invalid value: 2000000: spec.numberBounds in body should be less than or equal to 1000000',
      ],
    },
    {
      errors: [
        'spec.numberBounds: Invalid value: 1.0000015e+06: spec.numberBounds in body should be less than or equal to 1e+06',
      ],
    },
  ],
  multiple: [
    {
      object: {
        multiple: 3,
      },
    },
    {
      errors: ['spec.multiple: Invalid value: 4: spec.multiple in body should be a multiple of 3'],
    },
    {
      object: {
        multiple: 0,
      },
    },
    {
      object: {
        multiple: -6,
      },
    },
    {
      errors: [
        'spec.multiple: Invalid value: "number": spec.multiple in body must be of type integer: "number"',
        '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.multiple',
        'spec.multiple: Invalid value: 1.5: spec.multiple in body should be a multiple of 3',
      ],
    },
  ],
  tenths: [
    {
      object: {
        tenths: 0.3,
      },
    },
    {
      errors: ['spec.tenths: Invalid value: 0.35: spec.tenths in body should be a multiple of 0.1'],
    },
    {
      errors: ['spec.tenths: Invalid value: 0: factor MultipleOf declared for spec.tenths must be positive: 0'],
    },
    {
      object: {
        tenths: 1.5,
      },
    },
  ],
  halves: [
    {
      errors: ['<nil>: Invalid value: "": MultipleOf value must be of type integer (default format) in spec.halves'],
    },
    {
      errors: [
        '<nil>: Invalid value: "": MultipleOf value must be of type integer (default format) in spec.halves',
        'spec.halves: Invalid value: 4: spec.halves in body should be a multiple of 2.5',
      ],
    },
  ],
  choice: [
    {
      object: {
        choice: 'A',
      },
    },
    {
      errors: ['spec.choice: Unsupported value: "C": supported values: "A", "B"'],
    },
    {
      errors: [
        'spec.choice: Invalid value: "integer": spec.choice in body must be of type string: "integer"',
        'spec.choice: Unsupported value: 1: supported values: "A", "B"',
      ],
    },
    {
      errors: ['spec.choice: Unsupported value: "": supported values: "A", "B"'],
    },
  ],
  numberChoice: [
    {
      object: {
        numberChoice: 1,
      },
    },
    {
      object: {
        numberChoice: 2.5,
      },
    },
    {
      errors: ['spec.numberChoice: Unsupported value: 3: supported values: "1", "2.5"'],
    },
    {
      object: {
        numberChoice: 1.5,
      },
    },
    {
      errors: ['spec.numberChoice: Unsupported value: 2: supported values: "1", "2.5"'],
    },
  ],
  mixedChoice: [
    {
      object: {
        mixedChoice: 'a',
      },
    },
    {
      object: {
        mixedChoice: 1,
      },
    },
    {
      object: {
        mixedChoice: {
          b: [1],
        },
      },
    },
    {
      errors: ['spec.mixedChoice: Unsupported value: {"b":[2]}: supported values: "a", "1", "{\\"b\\":[1]}", "[true]"'],
    },
    {
      object: {
        mixedChoice: [true],
      },
    },
    {
      errors: ['spec.mixedChoice: Unsupported value: [false]: supported values: "a", "1", "{\\"b\\":[1]}", "[true]"'],
    },
    {
      errors: ['spec.mixedChoice: Unsupported value: "x": supported values: "a", "1", "{\\"b\\":[1]}", "[true]"'],
    },
    {
      object: {},
    },
  ],
  nullChoice: [
    {
      errors: ['spec.nullChoice: Unsupported value: null: supported values: "a"'],
    },
    {
      object: {
        nullChoice: 'a',
      },
    },
  ],
  counted: [
    {
      errors: ['spec.counted: Invalid value: 0: spec.counted in body should have at least 1 items'],
    },
    {
      object: {
        counted: ['a'],
      },
    },
    {
      errors: ['spec.counted: Too many: 3: must have at most 2 items'],
    },
  ],
  members: [
    {
      errors: ['spec.members: Invalid value: 1: spec.members in body should have at least 2 properties'],
    },
    {
      object: {
        members: {
          a: 1,
          b: 2,
        },
      },
    },
    {
      errors: ['spec.members: Too many: 4: must have at most 3 items'],
    },
    {
      errors: ['spec.members.a: Invalid value: "string": spec.members.a in body must be of type integer: "string"'],
    },
    {
      errors: [
        'spec.members.a.b/c: Invalid value: "string": spec.members.a.b/c in body must be of type integer: "string"',
        'spec.members.d e: Invalid value: "boolean": spec.members.d e in body must be of type integer: "boolean"',
      ],
    },
  ],
  required: [
    {
      errors: ['spec.required.a: Required value', 'spec.required.b: Required value'],
    },
    {
      errors: ['spec.required.b: Required value'],
    },
    {
      errors: ['spec.required.b: Required value'],
    },
  ],
  anyValue: [
    {
      object: {
        anyValue: {
          a: 1,
          b: {},
          d: [{}],
        },
      },
      unknown: ['spec.anyValue.b.c', 'spec.anyValue.d[0].e'],
    },
  ],
  noValue: [
    {
      object: {
        noValue: {},
      },
    },
    {
      errors: ['spec.noValue: Invalid value: "a": spec.noValue.a in body is a forbidden property'],
    },
  ],
  oneOf: [
    {
      errors: [
        '<nil>: Invalid value: "": "spec.oneOf" must validate one and only one schema (oneOf). Found none valid',
        'spec.oneOf.a: Required value',
      ],
    },
    {
      object: {
        oneOf: {
          a: 'x',
        },
      },
    },
    {
      errors: [
        '<nil>: Invalid value: "": "spec.oneOf" must validate one and only one schema (oneOf). Found 2 valid alternatives',
      ],
    },
    {
      errors: [
        '<nil>: Invalid value: "": "spec.oneOf" must validate one and only one schema (oneOf). Found none valid',
        'spec.oneOf.a: Required value',
      ],
    },
  ],
  oneOfNone: [
    {
      object: {
        oneOfNone: 1,
      },
    },
    {
      object: {
        oneOfNone: 5,
      },
    },
    {
      errors: [
        '<nil>: Invalid value: "": "spec.oneOfNone" must validate one and only one schema (oneOf). Found none valid',
        'spec.oneOfNone: Invalid value: 7: spec.oneOfNone in body should be greater than or equal to 10',
      ],
    },
    {
      object: {
        oneOfNone: 11,
      },
    },
  ],
  anyOf: [
    {
      errors: [
        '<nil>: Invalid value: "": "spec.anyOf" must validate at least one schema (anyOf)',
        'spec.anyOf.a: Required value',
      ],
    },
    {
      object: {
        anyOf: {
          a: 'x',
        },
      },
    },
    {
      errors: [
        '<nil>: Invalid value: "": "spec.anyOf" must validate at least one schema (anyOf)',
        'spec.anyOf.b: Invalid value: "xy": spec.anyOf.b in body should be at least 3 chars long',
      ],
    },
    {
      object: {
        anyOf: {
          b: 'xyz',
        },
      },
    },
  ],
  allOf: [
    {
      errors: [
        'spec.allOf: Invalid value: "a": spec.allOf in body should be at least 2 chars long',
        '<nil>: Invalid value: "": "spec.allOf" must validate all the schemas (allOf)',
      ],
    },
    {
      errors: [
        'spec.allOf: Invalid value: "b": spec.allOf in body should be at least 2 chars long',
        'spec.allOf: Invalid value: "b": spec.allOf in body should match \'^a\'',
        '<nil>: Invalid value: "": "spec.allOf" must validate all the schemas (allOf). None validated',
      ],
    },
    {
      object: {
        allOf: 'ab',
      },
    },
    {
      errors: [
        'spec.allOf: Invalid value: "bb": spec.allOf in body should match \'^a\'',
        '<nil>: Invalid value: "": "spec.allOf" must validate all the schemas (allOf)',
      ],
    },
  ],
  allOfNone: [
    {
      errors: [
        'spec.allOfNone: Invalid value: 1: spec.allOfNone in body should be greater than or equal to 2',
        'spec.allOfNone: Invalid value: 1: spec.allOfNone in body should be greater than or equal to 3',
        '<nil>: Invalid value: "": "spec.allOfNone" must validate all the schemas (allOf). None validated',
      ],
    },
    {
      errors: [
        'spec.allOfNone: Invalid value: 2: spec.allOfNone in body should be greater than or equal to 3',
        '<nil>: Invalid value: "": "spec.allOfNone" must validate all the schemas (allOf)',
      ],
    },
    {
      object: {
        allOfNone: 3,
      },
    },
  ],
  not: [
    {
      errors: ['<nil>: Invalid value: "": "spec.not" must not validate the schema (not)'],
    },
    {
      object: {
        not: 'c',
      },
    },
  ],
  nested: [
    {
      errors: [
        '<nil>: Invalid value: "": "spec.nested" must validate at least one schema (anyOf)',
        'spec.nested.l[0].a: Invalid value: 1: spec.nested.l[0].a in body should be greater than or equal to 3',
      ],
    },
    {
      object: {
        nested: {
          l: [
            {
              a: 3,
            },
          ],
        },
      },
    },
    {
      object: {
        nested: {},
      },
    },
    {
      errors: [
        'spec.nested.l[0].a: Invalid value: "string": spec.nested.l[0].a in body must be of type integer: "string"',
      ],
    },
  ],
  set: [
    {
      errors: ['spec.set[2]: Duplicate value: "a"'],
    },
    {
      object: {
        set: ['a'],
      },
    },
  ],
  numberSet: [
    {
      errors: ['spec.numberSet[2]: Duplicate value: 1'],
    },
  ],
  objectSet: [
    {
      errors: ['spec.objectSet[1]: Duplicate value: {"a":"x","b":"y"}'],
    },
  ],
  map: [
    {
      errors: ['spec.map[1]: Duplicate value: {"k":"a","p":1}'],
    },
    {
      object: {
        map: [
          {
            k: 'a',
            p: 1,
          },
          {
            k: 'b',
            p: 1,
          },
        ],
      },
    },
    {
      errors: [
        'spec.map[0].k: Required value',
        'spec.map[1].k: Required value',
        'spec.map[1]: Duplicate value: {"p":1}',
      ],
    },
    {
      errors: [
        'spec.map[1]: Invalid value: "string": spec.map[1] in body must be of type object: "string"',
        'spec.map[1]: Invalid value: "x": must be an object for an array of list-type map',
      ],
    },
    {
      errors: ['spec.map[0]: Invalid value: "null": spec.map[0] in body must be of type object: "null"'],
    },
  ],
  oneKey: [
    {
      errors: ['spec.oneKey[2]: Duplicate value: {"k":"a"}'],
    },
  ],
  deepSet: [
    {
      errors: ['spec.deepSet[a.b].s[1]: Duplicate value: "x"'],
    },
  ],
  pruned: [
    {
      object: {
        pruned: {
          a: 'x',
          l: [
            {
              n: 'y',
            },
            {},
          ],
          m: {
            k: {
              n: 'a',
            },
          },
        },
      },
      unknown: ['spec.pruned.b', 'spec.pruned.deep', 'spec.pruned.l[0].z', 'spec.pruned.l[1].q', 'spec.pruned.m.k.o'],
    },
    {
      errors: [
        'spec.pruned.l[0]: Invalid value: "integer": spec.pruned.l[0] in body must be of type object: "integer"',
        'spec.pruned.l[1]: Invalid value: "array": spec.pruned.l[1] in body must be of type object: "array"',
      ],
    },
  ],
  kept: [
    {
      object: {
        kept: {
          a: {
            b: 'x',
          },
          d: {
            e: [
              1,
              {
                f: null,
              },
            ],
          },
        },
      },
      unknown: ['spec.kept.a.c'],
    },
  ],
  keptList: [
    {
      object: {
        keptList: [
          {
            a: {
              b: 'x',
            },
            d: 1,
          },
        ],
      },
      unknown: ['spec.keptList[0].a.c'],
    },
  ],
  free: [
    {
      object: {
        free: 1,
      },
    },
    {
      object: {
        free: 'x',
      },
    },
    {
      object: {
        free: {
          a: {
            b: null,
          },
        },
      },
    },
    {
      object: {
        free: [
          {
            c: 1,
          },
        ],
      },
    },
    {
      object: {},
    },
  ],
  defaults: [
    {
      object: {
        defaults: {
          a: 'd',
          n: {
            b: 7,
          },
          z: 'zz',
        },
      },
    },
    {
      object: {
        defaults: {
          a: 'd',
          n: {
            b: 7,
          },
          z: null,
        },
      },
    },
    {
      object: {
        defaults: {
          a: 'd',
          l: [
            {
              c: true,
            },
            {
              c: false,
            },
          ],
          m: {
            x: {
              c: true,
            },
            y: {
              c: true,
            },
          },
          n: {
            b: 7,
          },
          o: {
            b: 7,
          },
          z: 'zz',
        },
      },
    },
    {
      errors: ['spec.defaults.l[0]: Invalid value: "null": spec.defaults.l[0] in body must be of type object: "null"'],
    },
  ],
  nulls: [
    {
      object: {
        nulls: {
          b: null,
          c: {},
          l: [null, 'x'],
        },
      },
    },
    {
      object: {
        nulls: {},
      },
    },
  ],
  nullValues: [
    {
      object: {
        nullValues: {
          b: 'x',
        },
      },
    },
  ],
  embedded: [
    {
      object: {
        embedded: {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: {
            labels: {
              a: 'b',
            },
            name: 'x',
          },
          spec: {
            any: 1,
          },
        },
      },
      unknown: ['spec.embedded.metadata.nope'],
    },
    {
      errors: ['spec.embedded.apiVersion: Required value', 'spec.embedded.kind: Required value'],
    },
    {
      errors: [
        'spec.embedded.metadata.name: Invalid value: "Bad Name/": may not contain \'/\'',
        'spec.embedded.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
        "spec.embedded.kind: Invalid value: \"pod_x\": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
      ],
    },
    {
      errors: [
        'spec.embedded.apiVersion: Invalid value: "": must not be empty',
        'spec.embedded.kind: Invalid value: "": must not be empty',
      ],
    },
    {
      errors: [
        "spec.embedded.metadata.labels: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ],
    },
    {
      errors: [
        'problem: Gadget in version "v1" cannot be handled as a Gadget: spec.embedded.apiVersion: Invalid value: 1: must be a string',
      ],
    },
    {
      errors: [
        'problem: Gadget in version "v1" cannot be handled as a Gadget: spec.embedded.metadata: Invalid value: {"labels":{"a":1}}: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
      ],
    },
    {
      object: {
        embedded: {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: {
            name: 'x',
          },
        },
      },
    },
  ],
  typedEmbedded: [
    {
      object: {
        typedEmbedded: {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: {
            generation: 3,
            name: 'x',
          },
          spec: {
            a: 'x',
          },
        },
      },
      unknown: ['spec.typedEmbedded.spec.b', 'spec.typedEmbedded.status'],
    },
  ],
  bson: [
    {
      object: {
        bson: '507f1f77bcf86cd799439011',
      },
    },
    {
      errors: ['spec.bson: Invalid value: "xyz": spec.bson in body must be of type bsonobjectid: "xyz"'],
    },
  ],
  uri: [
    {
      object: {
        uri: 'http://a.b/c?d=e',
      },
    },
    {
      object: {
        uri: '/a/b',
      },
    },
    {
      errors: ['spec.uri: Invalid value: "a/b": spec.uri in body must be of type uri: "a/b"'],
    },
    {
      errors: ['spec.uri: Invalid value: "": spec.uri in body must be of type uri: ""'],
    },
    {
      object: {
        uri: 'mailto:x',
      },
    },
    {
      errors: ['spec.uri: Invalid value: "http://a b": spec.uri in body must be of type uri: "http://a b"'],
    },
    {
      object: {
        uri: 'http://[::1]:80/x',
      },
    },
    {
      errors: ['spec.uri: Invalid value: "%zz": spec.uri in body must be of type uri: "%zz"'],
    },
    {
      errors: ['spec.uri: Invalid value: "/a%zz": spec.uri in body must be of type uri: "/a%zz"'],
    },
    {
      errors: ['spec.uri: Invalid value: "http://a:b/c": spec.uri in body must be of type uri: "http://a:b/c"'],
    },
    {
      object: {
        uri: '*',
      },
    },
    {
      errors: ['spec.uri: Invalid value: ":a": spec.uri in body must be of type uri: ":a"'],
    },
    {
      object: {
        uri: 'http://u:p@h/',
      },
    },
    {
      object: {
        uri: 'x://',
      },
    },
    {
      object: {
        uri: '//a',
      },
    },
    {
      errors: ['spec.uri: Invalid value: "http://a%20b/": spec.uri in body must be of type uri: "http://a%20b/"'],
    },
  ],
  email: [
    {
      object: {
        email: 'a@b.c',
      },
    },
    {
      errors: ['spec.email: Invalid value: "a": spec.email in body must be of type email: "a"'],
    },
    {
      errors: ['spec.email: Invalid value: "a@": spec.email in body must be of type email: "a@"'],
    },
    {
      object: {
        email: 'N <a@b.c>',
      },
    },
    {
      object: {
        email: '"x y"@b',
      },
    },
    {
      errors: ['spec.email: Invalid value: "a b@c": spec.email in body must be of type email: "a b@c"'],
    },
    {
      object: {
        email: '<a@b>',
      },
    },
    {
      errors: ['spec.email: Invalid value: "a@b@c": spec.email in body must be of type email: "a@b@c"'],
    },
    {
      errors: ['spec.email: Invalid value: "a..b@c": spec.email in body must be of type email: "a..b@c"'],
    },
    {
      object: {
        email: '"N M" <a@b.c>',
      },
    },
    {
      errors: ['spec.email: Invalid value: "N <a@b> x": spec.email in body must be of type email: "N <a@b> x"'],
    },
    {
      object: {
        email: 'a@[1.2.3.4]',
      },
    },
    {
      object: {
        email: 'é@b.c',
      },
    },
  ],
  hostname: [
    {
      errors: ['spec.hostname: Invalid value: "a.b": spec.hostname in body must be of type hostname: "a.b"'],
    },
    {
      errors: ['spec.hostname: Invalid value: "a_b": spec.hostname in body must be of type hostname: "a_b"'],
    },
    {
      errors: ['spec.hostname: Invalid value: "-a": spec.hostname in body must be of type hostname: "-a"'],
    },
    {
      object: {
        hostname: 'a-',
      },
    },
    {
      object: {
        hostname: 'A.example',
      },
    },
    {
      errors: [
        'spec.hostname: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": spec.hostname in body must be of type hostname: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"',
      ],
    },
    {
      errors: ['spec.hostname: Invalid value: "1.2.3.4": spec.hostname in body must be of type hostname: "1.2.3.4"'],
    },
    {
      object: {
        hostname: 'é.com',
      },
    },
    {
      errors: ['spec.hostname: Invalid value: "": spec.hostname in body must be of type hostname: ""'],
    },
  ],
  ipv4: [
    {
      object: {
        ipv4: '1.2.3.4',
      },
    },
    {
      object: {
        ipv4: '01.2.3.4',
      },
    },
    {
      errors: ['spec.ipv4: Invalid value: "1.2.3": spec.ipv4 in body must be of type ipv4: "1.2.3"'],
    },
    {
      errors: ['spec.ipv4: Invalid value: "::1": spec.ipv4 in body must be of type ipv4: "::1"'],
    },
    {
      errors: ['spec.ipv4: Invalid value: "1.2.3.256": spec.ipv4 in body must be of type ipv4: "1.2.3.256"'],
    },
    {
      object: {
        ipv4: '::ffff:1.2.3.4',
      },
    },
  ],
  ipv6: [
    {
      object: {
        ipv6: '::1',
      },
    },
    {
      errors: ['spec.ipv6: Invalid value: "1.2.3.4": spec.ipv6 in body must be of type ipv6: "1.2.3.4"'],
    },
    {
      errors: ['spec.ipv6: Invalid value: "a::b::c": spec.ipv6 in body must be of type ipv6: "a::b::c"'],
    },
    {
      object: {
        ipv6: '1:2:3:4:5:6:7:8',
      },
    },
    {
      errors: ['spec.ipv6: Invalid value: "1:2:3:4:5:6:7": spec.ipv6 in body must be of type ipv6: "1:2:3:4:5:6:7"'],
    },
    {
      object: {
        ipv6: '::ffff:1.2.3.4',
      },
    },
    {
      errors: ['spec.ipv6: Invalid value: "fe80::1%eth0": spec.ipv6 in body must be of type ipv6: "fe80::1%eth0"'],
    },
    {
      object: {
        ipv6: '1::',
      },
    },
    {
      errors: ['spec.ipv6: Invalid value: ":::": spec.ipv6 in body must be of type ipv6: ":::"'],
    },
  ],
  cidr: [
    {
      object: {
        cidr: '10.0.0.0/8',
      },
    },
    {
      errors: ['spec.cidr: Invalid value: "10.0.0.0": spec.cidr in body must be of type cidr: "10.0.0.0"'],
    },
    {
      errors: ['spec.cidr: Invalid value: "10.0.0.0/33": spec.cidr in body must be of type cidr: "10.0.0.0/33"'],
    },
    {
      object: {
        cidr: '::/0',
      },
    },
    {
      object: {
        cidr: '010.0.0.1/8',
      },
    },
    {
      errors: ['spec.cidr: Invalid value: "::1/129": spec.cidr in body must be of type cidr: "::1/129"'],
    },
    {
      object: {
        cidr: '10.0.0.0/08',
      },
    },
  ],
  mac: [
    {
      object: {
        mac: '00:00:5e:00:53:01',
      },
    },
    {
      object: {
        mac: '00-00-5e-00-53-01',
      },
    },
    {
      object: {
        mac: '0000.5e00.5301',
      },
    },
    {
      errors: ['spec.mac: Invalid value: "x": spec.mac in body must be of type mac: "x"'],
    },
    {
      errors: ['spec.mac: Invalid value: "00:00:5e:00:53": spec.mac in body must be of type mac: "00:00:5e:00:53"'],
    },
    {
      object: {
        mac: '02:00:5e:10:00:00:00:01',
      },
    },
  ],
  uuid: [
    {
      object: {
        uuid: '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
      },
    },
    {
      object: {
        uuid: '6BA7B8109dad11d180b400c04fd430c8',
      },
    },
    {
      errors: ['spec.uuid: Invalid value: "x": spec.uuid in body must be of type uuid: "x"'],
    },
  ],
  uuid3: [
    {
      object: {
        uuid3: '6ba7b810-9dad-31d1-80b4-00c04fd430c8',
      },
    },
    {
      errors: [
        'spec.uuid3: Invalid value: "6ba7b810-9dad-11d1-80b4-00c04fd430c8": spec.uuid3 in body must be of type uuid3: "6ba7b810-9dad-11d1-80b4-00c04fd430c8"',
      ],
    },
  ],
  uuid4: [
    {
      object: {
        uuid4: '6ba7b810-9dad-41d1-80b4-00c04fd430c8',
      },
    },
    {
      errors: [
        'spec.uuid4: Invalid value: "6ba7b810-9dad-41d1-c0b4-00c04fd430c8": spec.uuid4 in body must be of type uuid4: "6ba7b810-9dad-41d1-c0b4-00c04fd430c8"',
      ],
    },
  ],
  uuid5: [
    {
      object: {
        uuid5: '6ba7b810-9dad-51d1-80b4-00c04fd430c8',
      },
    },
    {
      errors: [
        'spec.uuid5: Invalid value: "6ba7b810-9dad-41d1-80b4-00c04fd430c8": spec.uuid5 in body must be of type uuid5: "6ba7b810-9dad-41d1-80b4-00c04fd430c8"',
      ],
    },
  ],
  isbn: [
    {
      object: {
        isbn: '0321751043',
      },
    },
    {
      object: {
        isbn: '978-0321751041',
      },
    },
    {
      errors: ['spec.isbn: Invalid value: "1": spec.isbn in body must be of type isbn: "1"'],
    },
    {
      object: {
        isbn: '0-321-75104-3',
      },
    },
  ],
  isbn10: [
    {
      object: {
        isbn10: '0321751043',
      },
    },
    {
      errors: [
        'spec.isbn10: Invalid value: "978-0321751041": spec.isbn10 in body must be of type isbn10: "978-0321751041"',
      ],
    },
    {
      errors: ['spec.isbn10: Invalid value: "0321751044": spec.isbn10 in body must be of type isbn10: "0321751044"'],
    },
    {
      object: {
        isbn10: '097522980X',
      },
    },
  ],
  isbn13: [
    {
      object: {
        isbn13: '978-0321751041',
      },
    },
    {
      errors: ['spec.isbn13: Invalid value: "0321751043": spec.isbn13 in body must be of type isbn13: "0321751043"'],
    },
    {
      errors: [
        'spec.isbn13: Invalid value: "978-0321751042": spec.isbn13 in body must be of type isbn13: "978-0321751042"',
      ],
    },
  ],
  card: [
    {
      object: {
        card: '4111 1111 1111 1111',
      },
    },
    {
      errors: [
        'spec.card: Invalid value: "4111111111111112": spec.card in body must be of type creditcard: "4111111111111112"',
      ],
    },
    {
      errors: ['spec.card: Invalid value: "x": spec.card in body must be of type creditcard: "x"'],
    },
  ],
  ssn: [
    {
      object: {
        ssn: '111-11-1111',
      },
    },
    {
      errors: ['spec.ssn: Invalid value: "111111111": spec.ssn in body must be of type ssn: "111111111"'],
    },
    {
      errors: ['spec.ssn: Invalid value: "1": spec.ssn in body must be of type ssn: "1"'],
    },
  ],
  hexcolor: [
    {
      object: {
        hexcolor: '#FFFFFF',
      },
    },
    {
      object: {
        hexcolor: 'fff',
      },
    },
    {
      errors: ['spec.hexcolor: Invalid value: "#ffff": spec.hexcolor in body must be of type hexcolor: "#ffff"'],
    },
  ],
  rgbcolor: [
    {
      object: {
        rgbcolor: 'rgb(1, 2,255)',
      },
    },
    {
      errors: [
        'spec.rgbcolor: Invalid value: "rgb(1,2,256)": spec.rgbcolor in body must be of type rgbcolor: "rgb(1,2,256)"',
      ],
    },
    {
      errors: [
        'spec.rgbcolor: Invalid value: "rgb(01,2,3)": spec.rgbcolor in body must be of type rgbcolor: "rgb(01,2,3)"',
      ],
    },
  ],
  byte: [
    {
      object: {
        byte: 'YQ==',
      },
    },
    {
      errors: ['spec.byte: Invalid value: "YQ=": spec.byte in body must be of type byte: "YQ="'],
    },
    {
      errors: ['spec.byte: Invalid value: "": spec.byte in body must be of type byte: ""'],
    },
    {
      object: {
        byte: 'YWJj',
      },
    },
    {
      errors: ['spec.byte: Invalid value: "Y-_j": spec.byte in body must be of type byte: "Y-_j"'],
    },
    {
      errors: ['spec.byte: Invalid value: "YQ==\\n": spec.byte in body must be of type byte: "YQ==\\n"'],
    },
  ],
  password: [
    {
      object: {
        password: 'x',
      },
    },
    {
      object: {
        password: '',
      },
    },
  ],
  date: [
    {
      object: {
        date: '2024-02-29',
      },
    },
    {
      errors: ['spec.date: Invalid value: "2023-02-29": spec.date in body must be of type date: "2023-02-29"'],
    },
    {
      errors: ['spec.date: Invalid value: "2024-2-9": spec.date in body must be of type date: "2024-2-9"'],
    },
    {
      errors: ['spec.date: Invalid value: "2024-13-01": spec.date in body must be of type date: "2024-13-01"'],
    },
  ],
  time: [
    {
      object: {
        time: '2024-02-29T10:00:00Z',
      },
    },
    {
      errors: ['spec.time: Invalid value: "2024-02-29": spec.time in body must be of type date-time: "2024-02-29"'],
    },
    {
      object: {
        time: '2024-02-29t10:00:00.5+01:00',
      },
    },
    {
      errors: [
        'spec.time: Invalid value: "2024-02-29T24:00:00Z": spec.time in body must be of type date-time: "2024-02-29T24:00:00Z"',
      ],
    },
    {
      errors: [
        'spec.time: Invalid value: "2024-02-29T10:00:60Z": spec.time in body must be of type date-time: "2024-02-29T10:00:60Z"',
      ],
    },
    {
      errors: [
        'spec.time: Invalid value: "2024-02-29T10:00:00": spec.time in body must be of type date-time: "2024-02-29T10:00:00"',
      ],
    },
    {
      errors: [
        'spec.time: Invalid value: "2024-02-29 10:00:00Z": spec.time in body must be of type date-time: "2024-02-29 10:00:00Z"',
      ],
    },
  ],
  plainTime: [
    {
      object: {
        plainTime: '2024-02-29T10:00:00Z',
      },
    },
    {
      errors: ['spec.plainTime: Invalid value: "x": spec.plainTime in body must be of type datetime: "x"'],
    },
  ],
  duration: [
    {
      object: {
        duration: '1h30m',
      },
    },
    {
      object: {
        duration: '22 days',
      },
    },
    {
      object: {
        duration: '1.5s',
      },
    },
    {
      errors: ['spec.duration: Invalid value: "x": spec.duration in body must be of type duration: "x"'],
    },
    {
      errors: ['spec.duration: Invalid value: "": spec.duration in body must be of type duration: ""'],
    },
    {
      errors: ['spec.duration: Invalid value: "1": spec.duration in body must be of type duration: "1"'],
    },
    {
      object: {
        duration: '-1s',
      },
    },
    {
      object: {
        duration: '3 weeks ago',
      },
    },
    {
      object: {
        duration: '0',
      },
    },
  ],
  shortName: [
    {
      object: {
        shortName: 'a-b',
      },
    },
    {
      errors: ['spec.shortName: Invalid value: "A": spec.shortName in body must be of type k8s-short-name: "A"'],
    },
    {
      errors: ['spec.shortName: Invalid value: "a.b": spec.shortName in body must be of type k8s-short-name: "a.b"'],
    },
    {
      errors: [
        'spec.shortName: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": spec.shortName in body must be of type k8s-short-name: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"',
      ],
    },
    {
      errors: ['spec.shortName: Invalid value: "": spec.shortName in body must be of type k8s-short-name: ""'],
    },
  ],
  longName: [
    {
      object: {
        longName: 'a-b.c',
      },
    },
    {
      errors: ['spec.longName: Invalid value: "A": spec.longName in body must be of type k8s-long-name: "A"'],
    },
    {
      errors: ['spec.longName: Invalid value: "a..b": spec.longName in body must be of type k8s-long-name: "a..b"'],
    },
    {
      errors: [
        'spec.longName: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": spec.longName in body must be of type k8s-long-name: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"',
      ],
    },
    {
      errors: ['spec.longName: Invalid value: "": spec.longName in body must be of type k8s-long-name: ""'],
    },
  ],
  unknownFormat: [
    {
      object: {
        unknownFormat: 'x',
      },
    },
    {
      errors: [
        'spec.unknownFormat: Invalid value: "integer": spec.unknownFormat in body must be of type string: "integer"',
      ],
    },
  ],
  formatOnly: [
    {
      object: {
        formatOnly: '1.2.3.4',
      },
    },
    {
      object: {
        formatOnly: '::1',
      },
    },
    {
      errors: [
        '<nil>: Invalid value: "": "spec.formatOnly" must validate at least one schema (anyOf)',
        'spec.formatOnly: Invalid value: "x": spec.formatOnly in body must be of type ipv4: "x"',
      ],
    },
  ],
  eitherFormat: [
    {
      object: {
        eitherFormat: 3000000000,
      },
    },
    {
      object: {
        eitherFormat: 'x',
      },
    },
    {
      object: {
        eitherFormat: 1,
      },
    },
  ],
};
