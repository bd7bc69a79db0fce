/** One of `x-kubernetes-validations`. */
import { isRecord, type JsonRecord } from '@listwatch/api/values';

/** A rule as its author wrote it. */
export interface SchemaRule {
  readonly rule: string;
  readonly message: string;
  readonly messageExpression: string;
  readonly reason: string | undefined;
  readonly fieldPath: string;
  readonly optionalOldSelf: boolean | undefined;
}

/** The rules of a schema itself, without those of schemas within it. */
export function schemaRules(schema: JsonRecord): readonly SchemaRule[] {
  const list = schema['x-kubernetes-validations'];
  return Array.isArray(list) ? list.filter(isRecord).map(ruleOf) : [];
}

/** The name of a rule in messages: its own message, or the rule. */
export function ruleTitle({ rule, message }: SchemaRule): string {
  return message === '' ? rule.trim() : message.trim();
}

/** The message of a failed rule that has no message expression. */
export function ruleMessage({ rule, message }: SchemaRule): string {
  return message === '' ? `failed rule: ${rule.trim()}` : message.trim();
}

/** The rule as Go prints it in an error. */
export function ruleDump(rule: SchemaRule): JsonRecord {
  return {
    Rule: rule.rule,
    Message: rule.message,
    MessageExpression: rule.messageExpression,
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath,
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  };
}

function ruleOf(source: JsonRecord): SchemaRule {
  const reason = source['reason'];
  const optional = source['optionalOldSelf'];
  return {
    rule: textOf(source['rule']),
    message: textOf(source['message']),
    messageExpression: textOf(source['messageExpression']),
    reason: typeof reason === 'string' ? reason : undefined,
    fieldPath: textOf(source['fieldPath']),
    optionalOldSelf: typeof optional === 'boolean' ? optional : undefined,
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
