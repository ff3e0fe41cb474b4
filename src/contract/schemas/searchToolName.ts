import { Type } from 'typebox';
import { SEARCH_TOOL_MESSAGE, SEARCH_TOOL_PATTERN } from '../families/searchTools.ts';

/** The name of a search tool, without its prefix. */
export const SearchToolName = (description: string) =>
  Type.String({
    ...{ minLength: 1, maxLength: 48, pattern: SEARCH_TOOL_PATTERN, description },
    ...{ 'x-trim': true, 'x-message': SEARCH_TOOL_MESSAGE },
  });
