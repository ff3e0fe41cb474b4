import { type FieldKind, fieldKind } from '../data/fields.ts';
import { type Unit, unitOfColumn } from '../data/units.ts';

export interface Facts extends FieldKind {
  unit: Unit | undefined;
}

export const NO_FACTS: Facts = { isUser: false, isHost: false, unit: undefined };
/** A result may have any number of names. */
const MOST_KEPT = 10_000;

/** Kinds and units of fields by their names, worked out once for each. */
export class FieldFacts {
  readonly #kept = new Map<string, Facts>();

  of(field: string | undefined): Facts {
    if (field === undefined) return NO_FACTS;
    const kept = this.#kept.get(field);
    if (kept) return kept;
    const facts = { ...fieldKind(field), unit: unitOfColumn(field) };
    if (this.#kept.size < MOST_KEPT) this.#kept.set(field, facts);
    return facts;
  }
}
