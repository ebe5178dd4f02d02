import { expect } from 'vitest';
import { eventually } from '../../../support/eventually.ts';
import { signIn } from '../../../support/platform/agent.ts';
import type { StagingWorld } from '../../../support/platform/staging-world.ts';

/**
 * What makes something less public or less permitted: pictures of the load withdrawn and rejected, a photo deleted, a
 * session ended.
 */
export async function prepareDecisions({ platform, agent, newOriginal }: StagingWorld) {
  const deleted = await newOriginal();
  const leaving = await signIn(platform);
  const [withdrawn = '', rejected = ''] = await eventually(
    async () => {
      const staged = await platform.rows<{ id: string }>(
        'select id from property_images where "isStyled" limit 2',
      );
      return staged.length === 2 && staged.map(({ id }) => id);
    },
    { what: 'two pictures' },
  );
  expect((await agent.mutate('ai.approveStagedVariant', { imageId: withdrawn })).status).toBe(200);
  const files = await platform.rows<{ objectKey: string }>(
    'select "objectKey" from property_images where id = any($1)',
    [[rejected, deleted]],
  );
  const withdraw = () => agent.mutate('ai.withdrawStagedVariant', { imageId: withdrawn });
  return {
    /** None of these may be public afterwards. */
    hidden: [withdrawn, rejected, deleted],
    /** The keys of the files that are deleted. */
    files: files.map(({ objectKey }) => objectKey),
    withdraw,
    /** Decides everything; each answer says that it was done. */
    async decide() {
      const answers = [
        await withdraw(),
        await agent.mutate('ai.rejectStagedVariant', { imageId: rejected }),
        await agent.request('DELETE', `/api/property-images/${deleted}`),
        await leaving.request('POST', '/api/auth/sign-out', { body: '{}' }),
      ];
      for (const { status, text } of answers) expect(status, text).toBeLessThan(300);
    },
    /** The query that says which decisions a server knows. */
    known: {
      text: `select exists (select from property_images where id = $1 and "withdrawnAt" is not null) as withdrawn,
         not exists (select from property_images where id = $2) as rejected,
         not exists (select from property_images where id = $3) as deleted,
         not exists (select from session s join "user" u on u.id = s."userId" where u.email = $4) as "signedOut"`,
      values: [withdrawn, rejected, deleted, leaving.email],
    },
  };
}
