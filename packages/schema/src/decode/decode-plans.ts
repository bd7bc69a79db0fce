/** Makes the plans of types. */

import { type Field, SCALAR_TYPES, type ScalarType, type Schema, type StructSchema, type TypeName } from '../schema.ts';
import { isScalarType, type SchemaSet, schemaNode } from '../schema-set.ts';
import { emptyForm } from './canonical.ts';
import type {
  DecodePlan,
  EmptyForm,
  FieldPlan,
  FieldSize,
  FormPlan,
  ListPlan,
  MapPlan,
  ScalarPlan,
  StructPlan,
} from './decode-plan.ts';
import { SCALAR_ZEROS } from './scalar-zeros.ts';

/** Options of {@link DecodePlans}. */
export interface DecodePlanOptions {
  /** By the type and the field, such as `core/v1.ConfigMap.data`. Default: schemas say all. */
  readonly sizes?: Readonly<Record<string, FieldSize>>;
  /**
   * Is an empty list that is always written, in a struct of this type, written as null? So it comes back from what Kubernetes
   * stores in protobuf, which cannot tell the two apart. Default: in none.
   */
  readonly nullsEmptyLists?: (type: string) => boolean;
}

/** The plans of a set of schemas: each type is worked out when it is first needed, and kept. */
export class DecodePlans {
  readonly #set: SchemaSet;
  readonly #sizes: ReadonlyMap<string, FieldSize>;
  readonly #nullsEmptyLists: (type: string) => boolean;
  readonly #named = new Map<string, DecodePlan>();

  constructor(set: SchemaSet, options: DecodePlanOptions = {}) {
    this.#set = set;
    this.#sizes = new Map(Object.entries(options.sizes ?? {}));
    this.#nullsEmptyLists = options.nullsEmptyLists ?? (() => false);
  }

  /** The plan of a struct. Throws a RangeError for an unknown type, a TypeError for one that is no struct. */
  struct(type: TypeName): StructPlan {
    const plan = this.#ofName(type);
    if (plan.is !== 'struct') throw new TypeError(`${type} is not a struct`);
    return plan;
  }

  /** The plan of a value. */
  of(schema: Schema): DecodePlan {
    const node = schemaNode(schema);
    return 'type' in node ? this.#ofName(node.type) : this.#ofNode(node, undefined, undefined);
  }

  #ofName(name: string): DecodePlan {
    if (isScalarType(name)) return scalarPlan(name, GO_TYPES[name] ?? name);
    const known = this.#named.get(name);
    if (known !== undefined) return known;
    const plan = this.#ofNode(this.#set.get(name), name, undefined);
    this.#named.set(name, plan);
    return plan;
  }

  #ofNode(schema: Schema, name: string | undefined, size: FieldSize | undefined): DecodePlan {
    const resolved = this.#set.resolve(schema);
    const goName = name === undefined ? undefined : this.#goName(name);
    if ('type' in resolved) return scalarPlan(resolved.type, goName ?? GO_TYPES[resolved.type] ?? resolved.type);
    if ('list' in resolved) return listPlan(this.of(resolved.list), goName, size);
    if ('map' in resolved) return mapPlan(this.of(resolved.map), goName, size);
    if (resolved.form !== undefined) return this.#formPlan(resolved, resolved.form, goName ?? '');
    return new LazyStructPlan(resolved, goName ?? '', () => this.#fields(resolved, name ?? ''));
  }

  #formPlan({ fields }: StructSchema, form: FormPlan['form'], goType: string): FormPlan {
    const plans = Object.values(fields).map((field) => ({ field, resolved: this.#set.resolve(field) }));
    const branch = (kind: 'fields' | 'list' | 'type'): DecodePlan | undefined => {
      const found = plans.find(({ resolved }) => kind in resolved);
      return found && this.of(found.field);
    };
    let branches: FormPlan['branches'] | undefined;
    return {
      is: 'form',
      form,
      goType,
      // The struct refers to itself, so its branches are looked up when they are needed.
      get branches() {
        branches ??= { bool: branch('type'), list: branch('list'), struct: branch('fields') };
        return branches;
      },
    };
  }

  #fields({ fields }: StructSchema, owner: string): readonly FieldPlan[] {
    const nullsEmpty = this.#nullsEmptyLists(owner);
    return Object.entries(fields).map(([name, field], index) => {
      const plan = this.#field(name, field, this.#sizes.get(`${owner}.${name}`));
      const alone: FieldPlan[] = [];
      const own = { ...plan, index, alone, nullsEmpty: nullsEmpty && plan.plan.is === 'list' && plan.isAlways };
      alone.push(own);
      return own;
    });
  }

  #field(name: string, field: Field, size: FieldSize | undefined): Omit<FieldPlan, 'alone' | 'index' | 'nullsEmpty'> {
    const plan = 'type' in field ? this.#ofName(field.type) : this.#ofNode(field, undefined, size);
    const isPointer = field.pointer === true;
    const omitsZero = field.omitZero === true;
    const isStruct = plan.is === 'struct' || (plan.is === 'scalar' && GO_STRUCTS.has(plan.scalar));
    // Without a required value an object is refused and never written, so those who validate it need not know null, too.
    const isAlways = isPointer
      ? field.always === true && field.required !== true
      : field.always === true || (isStruct && !omitsZero);
    const zero = isPointer || plan.is !== 'scalar' ? null : SCALAR_ZEROS[plan.scalar];
    return {
      name,
      plan,
      zero,
      isAlways,
      isKept: isAlways || isPointer,
      omitsZero: omitsZero && plan.is === 'struct',
      isPointer,
      inlined: field.within?.length ?? 0,
      default: this.#set.resolve(field).default,
    };
  }

  /** The name of a type with the last part of its Go package: `v1.PodSpec`. */
  #goName(name: string): string {
    const { goPackage = '' } = this.#set.packageOf(name) ?? {};
    const last = goPackage.slice(goPackage.lastIndexOf('/') + 1);
    return `${last === '' ? '' : `${last}.`}${name.slice(name.lastIndexOf('.') + 1)}`;
  }
}

/** Its fields are worked out when they are first needed: types refer to themselves, and most are never sent. */
class LazyStructPlan implements StructPlan {
  readonly is = 'struct';
  readonly goType: string;
  readonly goName: string;
  readonly keepsUnknown: boolean;
  readonly #compile: () => readonly FieldPlan[];
  #fields: readonly FieldPlan[] | undefined;
  #byName: ReadonlyMap<string, FieldPlan> | undefined;
  #alwaysFields: readonly FieldPlan[] | undefined;
  #emptyForm: EmptyForm | undefined;
  #defaulted: readonly FieldPlan[] | undefined;

  constructor(schema: StructSchema, goType: string, compile: () => readonly FieldPlan[]) {
    this.goType = goType;
    this.goName = goType.slice(goType.lastIndexOf('.') + 1);
    this.keepsUnknown = schema.keepsUnknown === true;
    this.#compile = compile;
  }

  get fields(): readonly FieldPlan[] {
    this.#fields ??= this.#compile();
    return this.#fields;
  }

  get byName(): ReadonlyMap<string, FieldPlan> {
    this.#byName ??= new Map(this.fields.map((field) => [field.name, field]));
    return this.#byName;
  }

  get alwaysFields(): readonly FieldPlan[] {
    this.#alwaysFields ??= this.fields.filter(({ isAlways }) => isAlways);
    return this.#alwaysFields;
  }

  get emptyForm(): EmptyForm {
    this.#emptyForm ??= emptyForm(this);
    return this.#emptyForm;
  }

  get defaulted(): readonly FieldPlan[] {
    this.#defaulted ??= this.fields.filter((field) => hasDefaults(field, new Set()));
    return this.#defaulted;
  }
}

/** Whether a field has a default that is not its zero value, or holds a value that has one. */
function hasDefaults(field: FieldPlan, seen: Set<DecodePlan>): boolean {
  if (field.default !== undefined && (field.isPointer || field.default !== field.zero)) return true;
  let { plan } = field;
  while (plan.is === 'list' || plan.is === 'map') plan = plan.item;
  if (plan.is !== 'struct' || seen.has(plan)) return false;
  seen.add(plan);
  return plan.fields.some((inner) => hasDefaults(inner, seen));
}

function scalarPlan(scalar: ScalarType, goType: string): ScalarPlan {
  const known = PLAIN_SCALARS.get(scalar);
  return known?.goType === goType ? known : { is: 'scalar', scalar, goType };
}

function listPlan(item: DecodePlan, name: string | undefined, size: FieldSize | undefined): ListPlan {
  return { is: 'list', goType: name ?? `[]${item.goType}`, item, itemBytes: size?.itemBytes };
}

function mapPlan(item: DecodePlan, name: string | undefined, size: FieldSize | undefined): MapPlan {
  return { is: 'map', goType: name ?? `map[string]${item.goType}`, item, limit: size?.limit };
}

const GO_TYPES: Partial<Record<ScalarType, string>> = {
  any: 'interface {}',
  bytes: '[]uint8',
  duration: 'v1.Duration',
  intOrString: 'intstr.IntOrString',
  microTime: 'v1.MicroTime',
  quantity: 'resource.Quantity',
  time: 'v1.Time',
};

/** What Go holds as a struct is never empty to its encoder. */
const GO_STRUCTS: ReadonlySet<ScalarType> = new Set([
  'duration',
  'intOrString',
  'microTime',
  'quantity',
  'time',
] as const);

const PLAIN_SCALARS: ReadonlyMap<ScalarType, ScalarPlan> = new Map(
  SCALAR_TYPES.map((scalar) => [scalar, { is: 'scalar', scalar, goType: GO_TYPES[scalar] ?? scalar }]),
);
