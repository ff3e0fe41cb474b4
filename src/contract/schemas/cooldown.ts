import { type Static, Type } from 'typebox';
import { named, narrowed } from './named.ts';

const cooldown = {
  until: Type.Number({ description: 'When it ends, epoch seconds. A success or a successful test ends it earlier.' }),
  reason: Type.String({ description: 'Code of the failed call' }),
};
const ABOUT = { description: 'After a failed call, aliases ask a model only where no other is left' };
const model = Type.String({ description: 'In connection health: the model, as <connection_name>/<model>' });

const AnyCooldown = named('Cooldown', Type.Object({ ...cooldown, model: Type.Optional(model) }, ABOUT));

/** Why aliases ask a model last, and until when. */
export const Cooldown = narrowed(AnyCooldown, Type.Object(cooldown, ABOUT));
export type Cooldown = Static<typeof Cooldown>;

export const ModelCooldown = narrowed(AnyCooldown, Type.Object({ ...cooldown, model }, ABOUT));
export type ModelCooldown = Static<typeof ModelCooldown>;
