import type { Json } from '../../../contract/basics.ts';
import { type Condition, type Filter, isCombination, type Scalar } from '../queries/filter.ts';
import type { IndexField, Mapping } from './mapping.ts';

/** Matches nothing. */
const NONE: Json = { match_none: {} };
const TEXTS: ReadonlySet<string> = new Set(['keyword', 'constant_keyword', 'wildcard']);
const FLAT: ReadonlySet<string> = new Set(['flattened', 'flat_object']);
const INTEGERS: ReadonlySet<string> = new Set(['byte', 'short', 'integer', 'long', 'unsigned_long']);
const FRACTIONS: ReadonlySet<string> = new Set(['float', 'half_float', 'double', 'scaled_float']);
/** Part of a fraction that an index with few digits may lose. */
const ROUGHLY = 0.01;

type Build = (condition: Condition, exists: Json) => Json;

/** Where the metadata of an index are, and how narrow their conditions are. */
export interface Terms {
  fields: Mapping['fields'];
  /** Path of the metadata: empty, or with a dot at the end. */
  path: string;
  /** Leaves out what the index holds as equal, although it may be of another type or a list. */
  isNarrow: boolean;
}

/**
 * A filter in the language of queries, which lets through all that matches and may let through more: an index keeps texts and
 * numbers alike, and lists like their values. What it lets through is compared again.
 */
export function conditionsOf(filter: Filter, terms: Terms): Json {
  const { fields, path, isNarrow } = terms;
  if (isCombination(filter)) {
    const parts = filter.parts.map((part) => conditionsOf(part, terms));
    return { bool: filter.operator === 'andAll' ? { filter: parts } : { should: parts, minimum_should_match: 1 } };
  }
  const field = `${path}${filter.key}`;
  const parent = fields.get(path.slice(0, -1));
  if (parent && FLAT.has(parent.type)) return ofTexts(field, parent, isNarrow)(filter, { exists: { field } });
  const mapped = fields.get(field);
  // Fields of objects are not searched by themselves.
  if (!mapped || mapped.type === 'object' || mapped.type === 'nested') return unmapped(fields, path);
  return builderOf(field, mapped, terms)(filter, { exists: { field } });
}

/** A key that the index does not know stands in no document, unless the index is told not to learn keys. */
function unmapped(fields: Mapping['fields'], path: string): Json {
  const settings: Json = fields.get(path.slice(0, -1))?.settings ?? {};
  const isOpen = settings.enabled === false || ['false', 'runtime'].includes(String(settings.dynamic));
  return isOpen ? { match_all: {} } : NONE;
}

function builderOf(field: string, mapped: IndexField, { fields, isNarrow }: Terms): Build {
  const { type } = mapped;
  if (TEXTS.has(type)) return ofTexts(field, mapped, isNarrow);
  if (INTEGERS.has(type) || FRACTIONS.has(type)) return ofNumbers(field, INTEGERS.has(type), isNarrow);
  if (type === 'boolean') return ofBooleans(field);
  const [inner] = [...fields].filter(([name, { type: own }]) => name.startsWith(`${field}.`) && own === 'keyword');
  if (type === 'text' && inner) return withLongTexts(field, inner[0], ofTexts(...inner, isNarrow));
  return (_, exists) => exists;
}

/** Texts that are too long for the inner field stand only in the outer one. */
function withLongTexts(field: string, inner: string, build: Build): Build {
  const long = { bool: { filter: [{ exists: { field } }], must_not: [{ exists: { field: inner } }] } };
  return (condition, exists) => ({ bool: { should: [build(condition, exists), long], minimum_should_match: 1 } });
}

const ofTexts =
  (field: string, { settings }: IndexField, isNarrow: boolean): Build =>
  ({ operator, values }, exists) => {
    const [operand] = values;
    const terms = { terms: { [field]: values.map(String) } };
    switch (operator) {
      case 'equals':
      case 'in':
      case 'listContains':
        // A number has many spellings.
        return values.some((value) => typeof value === 'number') && !isNarrow ? exists : terms;
      case 'notEquals':
      case 'notIn':
        return isNarrow ? { bool: { filter: [exists], must_not: [terms] } } : exists;
      case 'startsWith':
        return { prefix: { [field]: { value: operand } } };
      case 'stringContains':
        return FLAT.has(String(settings.type))
          ? exists
          : { wildcard: { [field]: { value: `*${String(operand).replaceAll(/[\\*?]/g, String.raw`\$&`)}*` } } };
      default:
        return exists;
    }
  };

function ofNumbers(field: string, isWhole: boolean, isNarrow: boolean): Build {
  const numbers = (values: readonly Scalar[]) => values.filter((value) => typeof value === 'number');
  const atLeast = (value: number) => (isWhole ? Math.floor(value) : value - Math.abs(value) * ROUGHLY);
  const atMost = (value: number) => (isWhole ? Math.ceil(value) : value + Math.abs(value) * ROUGHLY);
  const range = (bounds: Json): Json => ({ range: { [field]: bounds } });
  return ({ operator, values }, exists) => {
    const [operand] = values as readonly number[];
    switch (operator) {
      case 'equals':
      case 'in': {
        const parts = numbers(values).map((value) => range({ gte: atLeast(value), lte: atMost(value) }));
        // Texts that read as numbers are numbers in such an index.
        return parts.length < values.length ? exists : { bool: { should: parts, minimum_should_match: 1 } };
      }
      case 'greaterThan':
      case 'greaterThanOrEquals':
        return range({ gte: atLeast(operand as number) });
      case 'lessThan':
      case 'lessThanOrEquals':
        return range({ lte: atMost(operand as number) });
      case 'notEquals':
      case 'notIn':
        return isNarrow ? { bool: { filter: [exists], must_not: [{ terms: { [field]: numbers(values) } }] } } : exists;
      default:
        return exists;
    }
  };
}

const ofBooleans =
  (field: string): Build =>
  ({ operator, values }, exists) => {
    const isSimple =
      (operator === 'equals' || operator === 'in') && values.every((value) => typeof value === 'boolean');
    return isSimple ? { terms: { [field]: values } } : exists;
  };
