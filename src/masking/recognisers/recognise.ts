import type { MergedPolicy } from '../policy/policy.ts';
import { before, type Recogniser, type Sink, type Span } from '../spans/span.ts';
import { originOf, type View } from '../text/view.ts';
import { bankAccounts, cards, socialSecurity } from './digits.ts';
import { keyedFields, kindOfField } from './fields.ts';
import { keys, privateKeys, webTokens } from './keys.ts';
import { hostNames, keyedHosts, leasedHosts, mails } from './names.ts';
import { addresses4, addresses6, macs } from './network.ts';
import { passwords } from './passwords.ts';
import { type PhoneJudge, phones } from './phoneNumbers.ts';
import { rawPasswords } from './rawPasswords.ts';
import { urlSecrets } from './urls.ts';
import { users } from './users.ts';
import { machineAccounts, sharedHosts, sids, windowsUsers } from './windows.ts';

/** Rules by the kinds that they find; a rule runs where the policy masks one of its kinds. */
const RULES: readonly (readonly [kinds: readonly string[], rule: Recogniser])[] = [
  [['pem'], privateKeys],
  [['jwt'], webTokens],
  [['key'], keys],
  [['password'], passwords],
  [['card'], cards],
  [['iban'], bankAccounts],
  [['us_ssn'], socialSecurity],
  [['ipv4'], addresses4],
  [['ipv4', 'ipv6'], addresses6],
  [['mac'], macs],
  [['sid'], sids],
  [['email'], mails],
  [['win_user'], windowsUsers],
  [['host'], hostNames],
  [['host'], keyedHosts],
  [['host'], leasedHosts],
  [['host'], sharedHosts],
  [['host'], machineAccounts],
  [['user', 'host'], users],
];

/** Rules that read the text as it stands, since escapes are part of what they split. */
const RAW_RULES: typeof RULES = [
  [['url_secret', 'user'], urlSecrets],
  [['password'], rawPasswords],
];

const LONGEST_KEYWORD_DISTANCE = 40;

/** Finds what a policy masks. */
export class Finder {
  private readonly policy: MergedPolicy;
  private readonly rules: readonly Recogniser[];
  private readonly rawRules: readonly Recogniser[];

  constructor(policy: MergedPolicy, judgePhone: PhoneJudge) {
    this.policy = policy;
    const masks = (kinds: readonly string[]) => kinds.some((kind) => policy.mode(kind) !== 'allow');
    const phoneRules = masks(['phone']) ? [phones(judgePhone, policy.regions)] : [];
    this.rules = [...RULES.filter(([kinds]) => masks(kinds)).map(([, rule]) => rule), ...phoneRules];
    this.rawRules = RAW_RULES.filter(([kinds]) => masks(kinds)).map(([, rule]) => rule);
  }

  /**
   * All that rules find, in places of the original; spans may overlap.
   * @param rowFields named fields whose values are known from rows
   * @param tick called between the rules, to stop in time
   */
  spans(original: string, view: View, rowFields: ReadonlySet<string>, tick: () => void): Span[] {
    const spans: Span[] = [];
    const take = (span: Span): void => {
      const isMasked = span.field !== undefined || this.policy.mode(span.kind) !== 'allow';
      if (isMasked && !this.policy.isExempt(span)) spans.push(span);
    };
    const inView = (kind: string, from: number, to: number, plain?: string, field?: string): void => {
      const { start, end } = originOf(view, from, to);
      take({ start, end, kind, plain: plain ?? view.text.slice(from, to), field });
    };
    const viewSink: Sink = { take: inView };
    const rawSink: Sink = {
      take: (kind, start, end, plain = original.slice(start, end)) => take({ start, end, kind, plain }),
    };
    for (const rule of this.rules) {
      rule(view.text, viewSink);
      tick();
    }
    for (const rule of this.rawRules) {
      rule(original, rawSink);
      tick();
    }
    this.ownPatterns(view.text, viewSink, tick);
    const fields = this.policy.fields.filter((field) => !rowFields.has(field));
    for (const { field, start, end } of keyedFields(view.text, fields)) {
      inView(kindOfField(field, view.text.slice(start, end)), start, end, undefined, field);
    }
    return spans;
  }

  private ownPatterns(text: string, sink: Sink, tick: () => void): void {
    for (const { label, matcher, keyword } of this.policy.patterns) {
      if (keyword !== undefined && !text.toLowerCase().includes(keyword.toLowerCase())) continue;
      for (const { start, end } of matcher(text)) {
        const context = before(text, start, LONGEST_KEYWORD_DISTANCE).toLowerCase();
        if (end > start && (keyword === undefined || context.includes(keyword.toLowerCase())))
          sink.take(label, start, end);
      }
      tick();
    }
  }
}
