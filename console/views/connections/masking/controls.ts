export { Choices, Kinds, OwnKinds } from './Kinds.tsx';
export { Preview } from './Preview.tsx';
