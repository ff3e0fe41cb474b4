// Follows a store, whose documents stand in a file, and is killed while it does. Arguments: the file, the folder.
import { readFileSync } from 'node:fs';
import { processFiles } from '../../../support/knowledge/passages.ts';
import { KnowledgeSite, Member } from '../../../support/knowledge/site.ts';

const [, , path = '', folder = ''] = process.argv;
const site = new KnowledgeSite();
site.load(JSON.parse(readFileSync(path, 'utf8')));
const member = new Member(site, folder, processFiles(folder));
process.stdout.write('begun\n');
await member.follow();
process.stdout.write('done\n');
