import { expect } from 'chai';
import { CAPABILITIES } from '../../src/contract/capabilities.ts';
import { table } from '../../src/table.ts';
import { MemoryApp } from '../support/memory/app.ts';

/** Too long for every id, and with a character that none has. */
const BAD = ['x'.repeat(900), '%01'];

/** Types, of which an unknown one is invalid. */
const TYPES: Readonly<Record<string, string>> = { '{service}': 'General_Chat', '{container_type}': 'docker' };

const rows = table
  .filter(({ params, method, emptyBody }) => params && (method !== 'POST' || emptyBody))
  .filter(({ path }) => !path.endsWith('{container_type}'));

describe('an ill-formed id in a path', () => {
  const app = new MemoryApp();
  app.user('all', { roles: ['admin'], capabilities: [...Object.keys(CAPABILITIES), 'admin_all_objects'] });

  it('is in the paths of many families', () => {
    expect(rows.length).to.be.greaterThan(20);
  });

  for (const { method, path } of rows) {
    it(`is 404 like an unknown one: ${method} ${path}`, async () => {
      for (const bad of BAD) {
        const at = path.replaceAll(/\{[^}]+\}/g, (name) => TYPES[name] ?? bad).replace(/^\/ml/, '');
        const { status, json } = await app.call('all', method, at);
        expect([status, json.error_code ?? json.error?.code], at.slice(0, 80)).to.deep.equal([404, 'not_found']);
      }
    });
  }
});
