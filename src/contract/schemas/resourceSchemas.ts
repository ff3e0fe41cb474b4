import { Type } from 'typebox';
import { RESOURCE_FAMILIES } from '../families/resourceFamilies.ts';
import { named, narrowed } from './named.ts';

export const ResourceFamily = named(
  'ResourceFamily',
  Type.Enum([...RESOURCE_FAMILIES], { description: 'Resource family' }),
);

const Names = (description: string) => Type.Array(Type.String(), { description });

const drift = (description: string) =>
  Type.Object(
    {
      added: Names('New tools'),
      removed: Names('Removed tools'),
      changed: Names('Tools with a changed description or input schema'),
    },
    { description },
  );
export const ToolDrift = named('ToolDrift', drift('Changes of the tools of an MCP server since the previous list'));
/** @param description which lists are compared */
export const ToolDriftOf = (description: string) => narrowed(ToolDrift, drift(description));
