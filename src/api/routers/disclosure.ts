import { createTranslator } from '../../../i18n/translator.ts';
import type { Confirmable, Market } from '../../../machines/disclosure/profile.ts';
import { marketOf, PROFILES } from '../../../machines/disclosure/profiles.ts';
import { confirmDisclosure, readDisclosureListing } from '../../../persistence/images/disclosure-pictures.ts';
import { PublicError } from '../../errors/errors.ts';
import { found } from '../../errors/found.ts';
import {
  checkInput,
  checkOutput,
  confirmInput,
  listProfilesInput,
  listProfilesOutput,
  toCheck,
  toProfiles,
} from '../../wire/disclosure.ts';
import { agentProcedure, router } from '../base.ts';
import { localeOf } from '../caller-locale.ts';
import type { Services } from '../services.ts';

/** `disclosure.*`: what a market asks of altered pictures, and whether a listing or a picture meets it. */
export function disclosureRouter({ pool, clock, settings }: Services) {
  return router({
    listProfiles: agentProcedure
      .input(listProfilesInput)
      .output(listProfilesOutput)
      .query(({ ctx, input }) =>
        toProfiles(clock.now(), createTranslator(input?.locale ?? localeOf(settings.site, ctx), 'agent')),
      ),
    check: agentProcedure
      .meta({ errors: ['NOT_FOUND'] })
      .input(checkInput)
      .output(checkOutput)
      .query(async ({ ctx, input: { subject, market, locale } }) => {
        const listing = found(await readDisclosureListing(pool, { subject, agentId: ctx.user.id }));
        return toCheck(listing, {
          market: market ?? marketOf(listing),
          at: clock.now(),
          words: createTranslator(locale ?? localeOf(settings.site, ctx), 'agent'),
          followsFromAddress: market === undefined,
        });
      }),
    confirm: agentProcedure
      .meta({ errors: ['NOT_FOUND', 'CONFLICT'] })
      .input(confirmInput)
      .output(checkOutput)
      .mutation(async ({ ctx, input: { propertyId, market, conditions, alteredPictures, locale } }) => {
        const agentId = ctx.user.id;
        const words = createTranslator(locale ?? localeOf(settings.site, ctx), 'agent');
        const read = async () => {
          const listing = found(await readDisclosureListing(pool, { subject: { propertyId }, agentId }));
          const at = clock.now();
          return { listing, at, check: toCheck(listing, { market, at, words, followsFromAddress: false }) };
        };
        const { listing, at, check } = await read();
        requireAsked(market, conditions);
        // The agent's word is about the pictures that the agent saw.
        if (listing.alteredPictures !== alteredPictures) throw new PublicError('CONFLICT');
        const stateOf = (condition: Confirmable) =>
          check.requirements.find(({ requirement }) => requirement === condition)?.state;
        if (conditions.map(stateOf).some((state) => state === 'UNMET' || state === 'LATER'))
          throw new PublicError('CONFLICT');
        const requirements = [...new Set(conditions)].filter((one) => stateOf(one) === 'OUTSIDE');
        const pictures = alteredPictures;
        if (!(await confirmDisclosure(pool, { propertyId, agentId, market, requirements, pictures, at })))
          throw new PublicError('NOT_FOUND');
        return (await read()).check;
      }),
  });
}

/** @throws PublicError INVALID_INPUT for a condition that the market does not have */
function requireAsked(market: Market, conditions: readonly Confirmable[]): void {
  const asked = PROFILES[market].requirements.map(({ requirement }) => requirement);
  const wrong = conditions.flatMap((condition, index) => (asked.includes(condition) ? [] : [index]));
  if (wrong.length === 0) return;
  const fields = wrong.map((index) => [`conditions.${index}`, ['This market does not require it.']]);
  throw new PublicError('INVALID_INPUT', { fields: Object.fromEntries(fields) });
}
