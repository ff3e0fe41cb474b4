/**
 * Node's HTTP module. Imported as an ES module, all of its exports are evaluated, and with its WebSocket client comes
 * the whole of undici: a tenth of the time that a start takes.
 */
export const http = process.getBuiltinModule('node:http');
