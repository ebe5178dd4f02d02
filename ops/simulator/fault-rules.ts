import { z } from 'zod';
import {
  type AppliedFault,
  BODY_FAULT_PLACES,
  FAULT_NAMES,
  FAULTS,
  type FaultName,
  type FaultPoint,
} from './fault-catalogue.ts';

/** Body of `POST /__control/faults`. `nth` counts, from 1, the calls that fit the rest of `match` since the rule was set. */
export const faultRuleSchema = z.strictObject({
  match: z
    .strictObject({
      attemptId: z.string().optional(),
      promptIncludes: z.string().optional(),
      nth: z.int().min(1).optional(),
    })
    .default({}),
  fault: z.enum(FAULT_NAMES as [FaultName, ...FaultName[]]),
  times: z.union([z.int().min(1), z.literal('always')]).default(1),
  options: z.looseObject({ on: z.enum(BODY_FAULT_PLACES).optional() }).default({}),
});
export type FaultRuleInput = z.input<typeof faultRuleSchema>;
type ParsedRule = z.output<typeof faultRuleSchema>;

interface FaultRule extends ParsedRule {
  id: number;
  /** Calls that fitted attemptId and promptIncludes. */
  seen: number;
  used: number;
}

/** What a rule is compared with; null where the call does not say. */
interface FaultSubject {
  attemptId: string | null;
  prompt: string;
}

export interface FaultRules {
  add(rule: ParsedRule): FaultRule;
  clear(): number;
  list(): readonly FaultRule[];
  /** Uses up the first rule that fits a call. */
  takeFirst(point: FaultPoint, subject: FaultSubject): AppliedFault | undefined;
  /** Uses up every rule that fits. */
  takeAll(point: FaultPoint, subject: FaultSubject): AppliedFault[];
}

/**
 * The faults that wait for a request. They live in memory only: after a restart the provider behaves well again,
 * except for predictions that already carry a fault (the ledger keeps those).
 */
export function createFaultRules(): FaultRules {
  let rules: FaultRule[] = [];
  let lastId = 0;
  const take = (point: FaultPoint, subject: FaultSubject, limit: number): AppliedFault[] => {
    const taken: AppliedFault[] = [];
    for (const rule of rules) {
      if (pointOf(rule) !== point || !fits(rule, subject)) continue;
      rule.seen += 1;
      if (taken.length < limit && isDue(rule)) {
        rule.used += 1;
        taken.push({ name: rule.fault, options: rule.options });
      }
    }
    return taken;
  };
  return {
    add(parsed) {
      lastId += 1;
      const rule = { ...parsed, id: lastId, seen: 0, used: 0 };
      rules.push(rule);
      return rule;
    },
    clear() {
      const count = rules.length;
      rules = [];
      return count;
    },
    list: () => rules,
    takeFirst: (point, subject) => take(point, subject, 1)[0],
    takeAll: (point, subject) => take(point, subject, Number.POSITIVE_INFINITY),
  };
}

function pointOf(rule: ParsedRule): FaultPoint {
  if (!rule.fault.startsWith('body-') || rule.options.on === undefined) return FAULTS[rule.fault].point;
  return rule.options.on === 'webhook' ? 'accepted' : rule.options.on;
}

function fits(rule: ParsedRule, subject: FaultSubject): boolean {
  const { attemptId, promptIncludes } = rule.match;
  if (attemptId !== undefined && attemptId !== subject.attemptId) return false;
  return promptIncludes === undefined || subject.prompt.includes(promptIncludes);
}

function isDue(rule: FaultRule): boolean {
  if (rule.match.nth !== undefined && rule.seen < rule.match.nth) return false;
  return rule.times === 'always' || rule.used < rule.times;
}
