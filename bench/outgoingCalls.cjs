'use strict';
// Loaded into processes with `--require`: notes each call that a process makes over HTTP in the file that CALLS_FILE names.
const { subscribe } = require('node:diagnostics_channel');
const { appendFileSync } = require('node:fs');

const file = process.env.CALLS_FILE;
// The same clock in all processes of a machine.
const now = () => Number(process.hrtime.bigint()) / 1e6;
const began = new WeakMap();

subscribe('http.client.request.created', ({ request }) => began.set(request, now()));
subscribe('http.client.response.finish', ({ request, response }) => {
  response.once('end', () => {
    const call = { began: began.get(request), ended: now(), host: request.getHeader('host'), path: request.path };
    appendFileSync(file, `${JSON.stringify(call)}\n`);
  });
});
