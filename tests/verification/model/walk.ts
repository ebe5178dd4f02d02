import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { ActorStore } from '../../../persistence/actors/actor-store.ts';
import { createPostgresActorStore } from '../../../persistence/actors/postgres-actor-store.ts';
import type { JobAggregate } from '../../../persistence/actors/rows/job-row.ts';
import { MANUAL_EPOCH } from '../../support/manual-time.ts';
import { expectSeen, expectVariantsSeen } from './staging-host.ts';
import { DATABASE_CLOCK, type GroupModel, newOriginal, type StagingModel } from './staging-model.ts';
import { CRASHES_ANYWHERE, expectedRows, expectInvariants, keysOf, readRows } from './staging-rows.ts';
import { type Act, type Outcome, predict } from './walk-acts.ts';
import { actOf, type Word } from './walk-choices.ts';
import { newGroupOf } from './walk-group.ts';
import { clear, newOriginalOf, perform, type WalkWorld } from './walk-world.ts';

/** Counts over all walks. */
export interface Lives {
  steps: number;
  atOnce: number;
  met: Map<string, number>;
}
export const newLives = (): Lives => ({ steps: 0, atOnce: 0, met: new Map() });

/** What walks must meet, because walks without transitions prove nothing. */
const EXPECTED = [
  'stale',
  'ignored',
  'job SUCCESS',
  'job CANCELED',
  'submit EXISTING',
  'drain',
  'sweep',
  'job of a group',
  'second input',
  'withdraw 200',
  'lift 200',
  'lift 409',
];

/** What no walk has met so far. */
export const notMet = ({ met }: Lives): string[] => EXPECTED.filter((seen) => !met.has(seen));

export function expectLived(lives: Lives): void {
  expect(lives.steps).toBeGreaterThan(500);
  expect(lives.atOnce).toBeGreaterThan(20);
  expect(notMet(lives)).toEqual([]);
}

type Original = Awaited<ReturnType<typeof newOriginalOf>>;
interface WalkStart {
  store: ActorStore;
  lives: Lives;
  original: Original;
  group: GroupModel | null;
}

/** One walk: the model and the rows side by side, and every act so far, to explain a failure. */
export class Walk {
  #model: StagingModel;
  #at = MANUAL_EPOCH;
  #drains = 0;
  readonly #leases = new Map<string, { owner: string; epoch: number }>();
  readonly #seen = new Map<string, JobAggregate>();
  readonly #told: string[] = [];
  readonly #world: WalkWorld;
  readonly #store: ActorStore;
  readonly #lives: Lives;
  readonly #original: Original;

  private constructor(world: WalkWorld, { store, lives, original, group }: WalkStart) {
    this.#world = world;
    this.#store = store;
    this.#lives = lives;
    this.#original = original;
    const { objectKey, providerInputKey } = original;
    this.#model = newOriginal({ objectKey, providerInputKey }, group);
  }

  /** Sweepers read the whole database, so a walk with sweepers begins on an empty one. */
  static async begin(
    world: WalkWorld,
    lives: Lives,
    { isEmpty = true, hasGroup = false } = {},
  ): Promise<Walk> {
    if (isEmpty) await clear(world);
    const store = createPostgresActorStore(world.host.pool);
    const original = await newOriginalOf(world);
    const group = hasGroup ? await newGroupOf(world, original) : null;
    return new Walk(world, { store, lives, original, group });
  }

  async step(word: Word, other: Word): Promise<void> {
    this.#at += 1_000;
    if (word.kind === 'wait') this.#at += word.pick % 2 === 0 ? 40_000 : 1_000;
    this.#world.clock.at = this.#at;
    const walkState = { model: this.#model, at: this.#at, leases: this.#leases, drains: this.#drains };
    const act = actOf(word, walkState);
    if (act === null) return;
    const second = word.kind === 'atOnce' ? actOf(atTheSameTime(other), walkState) : null;
    await (second === null ? this.do(act) : this.doAtOnce(...withoutMismatch(act, second)));
    this.#lives.steps += 1;
    this.#meet(act.do);
    if (word.guided) await this.#look(word);
  }

  async end(): Promise<void> {
    const [agent] = this.#world.agents;
    for (const job of this.#model.jobs) await expectSeen(agent, this.#model, { job, at: this.#at });
    await expectVariantsSeen(agent, this.#model, this.#original.propertyId);
    await expectInvariants(this.#world.host.pool, this.#at, CRASHES_ANYWHERE);
    for (const { state, attempts, groupId, secondInput } of this.#model.jobs) {
      this.#meet(`job ${state}`);
      if (groupId !== null) this.#meet(secondInput === null ? 'job of a group' : 'second input');
      if (attempts.length > 1) this.#meet('attempt 2');
    }
  }

  /** Performs one act; then the rows must equal the model. */
  do(act: Act): Promise<void> {
    return this.#telling([act], () => this.#one(act));
  }

  /** Performs one act of the set-up: only its answer is compared. */
  async lead(act: Act): Promise<void> {
    const actual = await this.#perform(act);
    expect(actual).toMatchObject(this.#predict(this.#model, act, actual));
  }

  /** Performs two acts at once; one order of them must explain both answers and the rows. */
  doAtOnce(one: Act, other: Act): Promise<void> {
    return this.#telling([one, other], () => this.#two(one, other));
  }

  get model(): Readonly<StagingModel> {
    return this.#model;
  }

  async #telling(acts: readonly Act[], work: () => Promise<void>): Promise<void> {
    this.#told.push(acts.map((one) => JSON.stringify(one)).join('  AT ONCE WITH  '));
    try {
      await work();
    } catch (error) {
      throw new Error(`after\n  ${this.#told.join('\n  ')}\n${(error as Error).message}`, { cause: error });
    }
  }

  async #one(act: Act): Promise<void> {
    const actual = await this.#perform(act);
    const expected = this.#predict(this.#model, act, actual);
    this.#meetOutcome(act, actual);
    expect(actual).toMatchObject(expected);
    expect(await this.#rows(this.#model)).toEqual(expectedRows(this.#model));
    if (act.do === 'takeLease' && typeof (actual as { found: unknown }).found === 'number')
      this.#leases.set(`${act.worker} ${act.jobId}`, {
        owner: act.worker,
        epoch: (actual as { found: number }).found,
      });
    if (act.do === 'drain') this.#drains += 1;
  }

  /** Two acts at once: the result must equal that of one order of the two. */
  async #two(one: Act, other: Act): Promise<void> {
    const [first, second] = await Promise.all([this.#perform(one), this.#perform(other)]);
    const orders = [true, false].map((isInOrder) => {
      const model = structuredClone(this.#model);
      const predicted = new Map<Act, Outcome>();
      for (const act of isInOrder ? [one, other] : [other, one])
        predicted.set(act, this.#predict(model, act, act === one ? first : second));
      loosenTrigger(model, [one, other]);
      return { model, answers: [predicted.get(one), predicted.get(other)] };
    });
    const tries: unknown[] = [];
    for (const { model, answers } of orders)
      try {
        expect([first, second]).toMatchObject(answers as object[]);
        expect(await this.#rows(model)).toEqual(expectedRows(model));
        if (!isDeepStrictEqual(orders[0]?.answers, orders[1]?.answers)) this.#meet('order mattered');
        this.#model = model;
        this.#lives.atOnce += 1;
        return;
      } catch (error) {
        tries.push(error);
      }
    const [inOrder, reversed] = tries.map((error) => (error as Error).message);
    throw new Error(
      `neither order explains ${JSON.stringify([first, second])}
the first first: ${JSON.stringify(orders[0]?.answers)} ${inOrder}
the second first: ${JSON.stringify(orders[1]?.answers)} ${reversed}`,
    );
  }

  #perform(act: Act): Promise<Outcome> {
    const seen = 'jobId' in act ? this.#seen.get(act.jobId) : undefined;
    return perform(this.#world, act, { imageId: this.#original.imageId, group: this.#model.group, seen });
  }

  #predict(model: StagingModel, act: Act, actual: Outcome): Outcome {
    return predict(model, act, { agentIds: this.#world.agents.map(({ id }) => id), actual });
  }

  #rows(model: StagingModel) {
    const keys = keysOf(model);
    return readRows(this.#world.host.pool, { imageId: this.#original.imageId, keys });
  }

  /** A reader reads the job, which a runner may act upon later, and the other agent looks at it. */
  async #look({ style, agent }: Word): Promise<void> {
    const job = this.#model.jobs.findLast((one) => one.style === style);
    if (!job) return;
    const aggregate = await this.#store.readJob(job.id);
    if (aggregate) this.#seen.set(job.id, aggregate);
    if (agent === 1) await expectSeen(this.#world.agents[1], this.#model, { job, at: this.#at });
  }

  #meet(what: string): void {
    this.#lives.met.set(what, (this.#lives.met.get(what) ?? 0) + 1);
  }
  #meetOutcome(act: Act, outcome: Outcome): void {
    if ('outcome' in outcome) this.#meet(outcome.outcome);
    if (act.do === 'dropSecondInput' && (outcome as { found: boolean }).found) this.#meet('dropped');
    if ('status' in outcome) this.#meet(`${act.do} ${outcome.data?.disposition ?? outcome.status}`);
  }
}

/** Acts of people and runners may be simultaneous; waits, sweeps and takeovers run alone. */
function atTheSameTime(word: Word): Word {
  const kinds = ['person', 'person', 'run', 'end'] as const;
  return { ...word, kind: kinds[word.pick % 64 === 63 ? 3 : word.pick % 3] ?? 'person' };
}

/**
 * A photo that goes between the two questions of a submission, for its photos and for its group, is no photo of the
 * group any more: no order of the two acts has that answer. The photo is then staged without its group.
 */
function withoutMismatch(one: Act, other: Act): [Act, Act] {
  const alone = (act: Act): Act => (act.do === 'submit' ? { ...act, grouped: false } : act);
  const deletes = [one, other].some((act) => act.do === 'deleteOriginal' || act.do === 'removeRow');
  return deletes ? [alone(one), alone(other)] : [one, other];
}

/** A submission during the deletion of its original is canceled by the trigger, with the database clock. */
function loosenTrigger(model: StagingModel, acts: readonly Act[]): void {
  const [submitted, deleted] = ['submit', 'deleteOriginal'].map((what) =>
    acts.some((act) => act.do === what),
  );
  if (!submitted || !deleted) return;
  for (const job of model.jobs)
    if (job.state === 'CANCELED' && job.version === 2)
      job.context = {
        ...job.context,
        cancelRequestedAt: DATABASE_CLOCK,
        canceledAt: DATABASE_CLOCK,
        finishedAt: DATABASE_CLOCK,
      };
}
