import { addressLine } from '../../../i18n/address-line.ts';
import type { Locale } from '../../../i18n/languages.ts';
import { createTranslator, type Translator } from '../../../i18n/translator.ts';
import type { AlertHome } from '../../../persistence/alerts/due-alerts.ts';
import { FEED_PROFILES } from '../../feeds/profiles/profiles.ts';
import { isolated } from '../mail-layout.ts';
import { type MailedSite, mailPhoto, siteIn } from '../mailed-site.ts';
import type { MailedHome, News } from '../news-page.ts';

interface AlertMailOptions {
  /** Null for saved homes. */
  readonly search: { readonly id: string; readonly name: string } | null;
  readonly homes: readonly AlertHome[];
  /** How many other homes there are. */
  readonly more: number;
  readonly locale: Locale;
  readonly site: MailedSite;
  /** Where the reader ends these mails: a page that asks, and the address of the one click. */
  readonly unsubscribe: { readonly page: string; readonly oneClick: string };
}

const nameOf = (search: AlertMailOptions['search'], { t }: Translator): string =>
  isolated(search?.name ?? t('mail.alert.savedHomes'));

/** An alert in a line. */
export function alertSubject(
  { search, homes, more }: Pick<AlertMailOptions, 'search' | 'homes' | 'more'>,
  translator: Translator,
): string {
  const { t } = translator;
  const [first] = homes;
  const count = homes.length + more;
  return count === 1 && first !== undefined
    ? t('mail.alert.subjectOfOne', { event: eventOf(first, translator), home: addressLine(first) })
    : t('mail.alert.subject', { name: nameOf(search, translator), count });
}

/** What happened to the homes of a search, or to saved homes, in the reader's language. */
export function renderAlertMail({ search, homes, more, locale, site, unsubscribe }: AlertMailOptions): News {
  const translator = createTranslator(locale, 'user');
  const { t } = translator;
  const base = siteIn(site, locale);
  return {
    subject: alertSubject({ search, homes, more }, translator),
    locale,
    heading: t('mail.alert.heading', {
      name: nameOf(search, translator),
      count: homes.length + more,
    }),
    homes: homes.map((home) => mailedHome(home, { site, translator, base })),
    note: noteOf(homes, { more, translator }),
    open: {
      words: t(search === null ? 'mail.alert.openSavedHomes' : 'mail.alert.openSearch'),
      address: search === null ? `${base}/favorites` : `${base}/searches`,
    },
    settings: { words: t('mail.alert.settings'), address: `${base}/searches` },
    unsubscribe: {
      words: t('mail.footer.unsubscribe'),
      address: unsubscribe.page,
      oneClick: unsubscribe.oneClick,
    },
  };
}

/** How many homes are left out, and what the feeds of the others want said with them. */
function noteOf(
  homes: readonly AlertHome[],
  { more, translator: { t, locale } }: { more: number; translator: Translator },
): string | null {
  const profiles = new Set(homes.flatMap(({ feedProfile }) => feedProfile ?? []));
  const words = [...profiles].flatMap((profile) => {
    const texts = FEED_PROFILES.get(profile)?.attribution;
    return texts === undefined ? [] : [`${texts.source[locale]} ${texts.disclaimer[locale]}`];
  });
  const parts = [...(more === 0 ? [] : [t('mail.digest.others', { count: more })]), ...words];
  return parts.length === 0 ? null : parts.join(' ');
}

function mailedHome(
  home: AlertHome,
  { site, translator, base }: { site: MailedSite; translator: Translator; base: string },
): MailedHome {
  const { t } = translator;
  const { beds, baths } = home;
  const address = addressLine(home);
  const facts = [
    moneyOf(home.price, home.currency, translator),
    beds === null ? null : t('card.beds', { count: beds }),
    baths === null ? null : t('card.baths', { count: baths }),
    home.listedBy === null ? null : t('card.listedBy', { firm: isolated(home.listedBy) }),
  ];
  return {
    words: address,
    address: `${base}/properties/${home.propertyId}`,
    event: eventOf(home, translator),
    facts: facts.filter((fact) => fact !== null).join(' · '),
    photo: mailPhoto(site, { photoId: home.photoId, words: t('mail.photoOf', { home: address }) }),
  };
}

const moneyOf = (amount: number, currency: string, { number }: Translator): string =>
  number(amount, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    maximumFractionDigits: Number.isInteger(amount) ? 0 : 2,
  });

/** Such as `Price cut $10,000`. */
function eventOf(
  { kind, loweredBy, currency, openHouseAt, timeZone }: AlertHome,
  translator: Translator,
): string {
  const { t, date } = translator;
  switch (kind) {
    case 'NEW':
      return t('mail.alert.new');
    case 'BACK':
      return t('mail.alert.back');
    case 'PENDING':
      return t('mail.alert.pending');
    case 'SOLD':
      return t('mail.alert.sold');
    case 'PRICE': {
      const amount = moneyOf(Math.abs(loweredBy ?? 0), currency, translator);
      return (loweredBy ?? 0) < 0 ? t('mail.alert.priceRaised', { amount }) : t('card.priceCut', { amount });
    }
    case 'OPEN_HOUSE': {
      const when = date(new Date(openHouseAt ?? 0), {
        dateStyle: 'full',
        timeStyle: 'short',
        timeZone: timeZone ?? 'UTC',
      });
      return t('card.openHouse', { when });
    }
  }
}
