#!/usr/bin/env node
import { MEMBER, runCommand } from './runCommand.ts';

if (process.argv[2] === MEMBER) import('./cluster/member.ts').then(({ runMember }) => runMember());
else runCommand();
