import { expect } from 'chai';
import { Alerting } from '../support/alerting.ts';
import { Browser } from '../support/web.ts';

