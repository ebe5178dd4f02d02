import type { Market, Profile } from './profile.ts';
import { AU } from './profiles/au.ts';
import { CA_BC } from './profiles/ca-bc.ts';
import { CA_ON } from './profiles/ca-on.ts';
import { DEFAULT } from './profiles/default.ts';
import { EU } from './profiles/eu.ts';
import { GB } from './profiles/gb.ts';
import { US_CA } from './profiles/us-ca.ts';
import { US_CA_CCAR } from './profiles/us-ca-ccar.ts';
import { US_CA_CRMLS } from './profiles/us-ca-crmls.ts';
import { US_CT_SMARTMLS } from './profiles/us-ct-smartmls.ts';
import { US_FL_STELLAR } from './profiles/us-fl-stellar.ts';
import { US_IL_MRED } from './profiles/us-il-mred.ts';
import { US_MD_BRIGHT } from './profiles/us-md-bright.ts';
import { US_NC_CANOPY } from './profiles/us-nc-canopy.ts';
import { US_NY_REBNY } from './profiles/us-ny-rebny.ts';
import { US_OH_MLSNOW } from './profiles/us-oh-mlsnow.ts';
import { US_TN_REALTRACS } from './profiles/us-tn-realtracs.ts';
import { US_TX_HAR } from './profiles/us-tx-har.ts';
import { US_WA_NWMLS } from './profiles/us-wa-nwmls.ts';
import { US_WI } from './profiles/us-wi.ts';

/** Every profile by its market, in the order in which they are offered. */
export const PROFILES: Readonly<Record<Market, Profile>> = {
  GB,
  'US-CA': US_CA,
  'US-CA-CRMLS': US_CA_CRMLS,
  'US-CA-CCAR': US_CA_CCAR,
  'US-CT-SMARTMLS': US_CT_SMARTMLS,
  'US-FL-STELLAR': US_FL_STELLAR,
  'US-IL-MRED': US_IL_MRED,
  'US-MD-BRIGHT': US_MD_BRIGHT,
  'US-NC-CANOPY': US_NC_CANOPY,
  'US-NY-REBNY': US_NY_REBNY,
  'US-OH-MLSNOW': US_OH_MLSNOW,
  'US-TN-REALTRACS': US_TN_REALTRACS,
  'US-TX-HAR': US_TX_HAR,
  'US-WA-NWMLS': US_WA_NWMLS,
  'US-WI': US_WI,
  'CA-BC': CA_BC,
  'CA-ON': CA_ON,
  EU,
  AU,
  default: DEFAULT,
};

/** Of a listing's address. */
export interface Place {
  /** Two capital letters (ISO 3166). */
  readonly country: string;
  /** As the agent wrote it: a name or an abbreviation. */
  readonly stateOrProvince: string | null;
}

/** The market of an address. The market of a listing service is never among them: an agent chooses it. */
export const marketOf = (place: Place): Market => marketsAt(place, 'ADDRESS')[0] ?? 'default';

/** The listing services of an address, in the order of the profiles. */
export const listingServicesAt = (place: Place): Market[] => marketsAt(place, 'CHOICE');

function marketsAt({ country, stateOrProvince }: Place, by: 'ADDRESS' | 'CHOICE'): Market[] {
  const state = stateOrProvince?.trim().toLowerCase() ?? null;
  const isHere = ({ reach }: Profile): boolean =>
    reach.by === by &&
    reach.countries.includes(country) &&
    (reach.states === undefined || reach.states.some((known) => known.toLowerCase() === state));
  return Object.values(PROFILES)
    .filter(isHere)
    .map(({ market }) => market);
}
