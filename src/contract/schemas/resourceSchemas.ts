import { Type } from 'typebox';
import { RESOURCE_FAMILIES } from '../families/resourceFamilies.ts';
import { named, narrowed } from './named.ts';

/** What the audit trail, exported documents and reports on health call each kind of thing; some know fewer. */
export const ResourceFamily = named(
  'ResourceFamily',
  Type.Enum([...RESOURCE_FAMILIES], { description: 'The kind of thing that it is about' }),
);

const Names = (description: string) => Type.Array(Type.String(), { description });

const drift = (description: string) =>
  Type.Object(
    {
      added: Names('Tools that are new'),
      removed: Names('Tools that are gone'),
      changed: Names('Tools with another description or input schema'),
    },
    { description },
  );
export const ToolDrift = named(
  'ToolDrift',
  drift('How the tools of an MCP server differ from those that were listed before'),
);
/** @param description which listings are compared */
export const ToolDriftOf = (description: string) => narrowed(ToolDrift, drift(description));
