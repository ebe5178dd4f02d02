import { createTranslator } from '../../../i18n/translator.ts';
import { evaluate } from '../../../machines/disclosure/evaluate.ts';
import { marketOf } from '../../../machines/disclosure/profiles.ts';
import { readDisclosureListing } from '../../../persistence/images/disclosure-pictures.ts';
import { found } from '../../errors/found.ts';
import {
  checkInput,
  checkOutput,
  listProfilesInput,
  listProfilesOutput,
  toCheck,
  toProfiles,
} from '../../wire/disclosure.ts';
import { agentProcedure, router } from '../base.ts';
import { localeOf } from '../caller-locale.ts';
import type { Services } from '../services.ts';

/** `disclosure.*`: what a market asks of altered pictures, and whether a listing or a picture meets it. */
export function disclosureRouter({ pool, clock }: Services) {
  return router({
    listProfiles: agentProcedure
      .input(listProfilesInput)
      .output(listProfilesOutput)
      .query(({ ctx, input }) =>
        toProfiles(clock.now(), createTranslator(input?.locale ?? localeOf(ctx), 'agent')),
      ),
    check: agentProcedure
      .meta({ errors: ['NOT_FOUND'] })
      .input(checkInput)
      .output(checkOutput)
      .query(async ({ ctx, input: { subject, market, locale } }) => {
        const listing = found(await readDisclosureListing(pool, { subject, agentId: ctx.user.id }));
        const evaluation = evaluate(listing, market ?? marketOf(listing), clock.now());
        const words = createTranslator(locale ?? localeOf(ctx), 'agent');
        return toCheck(evaluation, { words, followsFromAddress: market === undefined });
      }),
  });
}
