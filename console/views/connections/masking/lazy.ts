import { lazyPart } from '../../../parts/lazyPart.tsx';

// Not needed for the first row.
const load = () => import('./controls.ts');

export const Kinds = lazyPart(async () => ({ default: (await load()).Kinds }));
export const OwnKinds = lazyPart(async () => ({ default: (await load()).OwnKinds }));
export const Choices = lazyPart(async () => ({ default: (await load()).Choices }));
export const Preview = lazyPart(async () => ({ default: (await load()).Preview }));
