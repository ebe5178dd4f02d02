import * as restate from '@restatedev/restate-sdk';
import { connect } from '@restatedev/restate-sdk-clients';
import { serveTurns } from './serve-turns.ts';

/**
 * A Restate virtual object: one key a lane, every step recorded by the server (`ctx.run`) before the next one begins.
 * The object's state is set as well once a purchase; the steps themselves answer a small object.
 */
const { INGRESS_URL = '', ADMIN_URL = '', ENDPOINT_PORT = '' } = process.env;
const lanes = Number(process.env.LANES);

interface Life {
  readonly actors: number;
  readonly steps: number;
}

const purchase = restate.object({
  name: 'purchase',
  handlers: {
    async live(ctx: restate.ObjectContext, { actors, steps }: Life): Promise<number> {
      let done = 0;
      for (let actor = 0; actor < actors; actor++) {
        for (let step = 0; step < steps; step++) {
          await ctx.run('transition', () => ({
            state: 'RUNNING',
            predictionId: `p-${actor}`,
            version: step,
          }));
          done += 1;
        }
        ctx.set('state', 'COLLECTING');
      }
      return done;
    },
  },
});

const port = Number(ENDPOINT_PORT);
await restate.serve({ services: [purchase], port });
await register();
const ingress = connect({ url: INGRESS_URL });
let turns = 0;

/** One lane: calls of its own key, one after the other. */
async function runLane({ key, actors, steps, actorsEach }: Life & { key: string; actorsEach: number }) {
  const object = ingress.objectClient<typeof purchase>({ name: 'purchase' }, key);
  let done = 0;
  for (let left = actors; left > 0; left -= actorsEach)
    done += await object.live({ actors: Math.min(left, actorsEach), steps });
  return done;
}

serveTurns(
  {
    async turn({ actors, ...life }: Life & { actorsEach: number }) {
      turns += 1;
      const share = Math.ceil(actors / lanes);
      const began = performance.now();
      const keys = Array.from({ length: lanes }, (_, lane) => `${turns}-${lane}`);
      const done = await Promise.all(keys.map((key) => runLane({ ...life, key, actors: share })));
      return done.reduce((sum, one) => sum + one, 0) / ((performance.now() - began) / 1_000);
    },
  },
  async () => {},
);

async function register(): Promise<void> {
  const answer = await fetch(`${ADMIN_URL}/deployments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ uri: `http://127.0.0.1:${port}` }),
  });
  if (!answer.ok) throw new Error(`Restate took no deployment (${answer.status}): ${await answer.text()}`);
}
