import { lazy, Suspense, useState } from 'react';
import { telephoneAddress } from '../../../../i18n/countries.ts';
import { Button } from '../../primitives/button.tsx';
import { useSite, useText } from '../../site/use-site.ts';
import type { Detail } from './listing-data.ts';

const DataReport = lazy(() => import('./data-report.tsx'));

/** The firm that lists a home of a feed and how to reach it, what the feed wants said, and a way to report wrong data. */
export default function Attribution({ home }: { readonly home: Detail }) {
  const { t, dateTime } = useText();
  const [isOpen, setOpen] = useState(false);
  const { attribution, propertyId, showing } = home;
  if (attribution === null) return null;
  const { officeName, contact, agentName, agentLicense, source, disclaimer, updatedAt } = attribution;
  return (
    <section className="listing-attribution" aria-label={t('attribution.title')}>
      {officeName === null ? null : <p>{t('attribution.firm', { firm: officeName })}</p>}
      {contact === null ? null : (
        <p>
          <Contact contact={contact} />
        </p>
      )}
      {agentName === null ? null : (
        <p>
          {agentName}
          {agentLicense === null ? null : ` · ${t('listing.license', { number: agentLicense })}`}
        </p>
      )}
      {attribution.showsAddress ? null : <p>{t('attribution.noAddress')}</p>}
      <p className="muted">{`${source} ${disclaimer}`}</p>
      {updatedAt === null ? null : (
        <p className="muted">
          {t('legal.updated', { when: dateTime(updatedAt, showing.propertyTimeZoneName) })}
        </p>
      )}
      <div className="scripted">
        <Button kind="quiet" onPress={() => setOpen(true)}>
          {t('attribution.report')}
        </Button>
      </div>
      {isOpen ? (
        <Suspense>
          <DataReport propertyId={propertyId} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </section>
  );
}

/** A mail address or a telephone number is a link; anything else stays text. */
function Contact({ contact }: { readonly contact: string }) {
  const { country } = useSite().settings.site;
  if (/^[^\s@]+@[^\s@]+$/.test(contact)) return <a href={`mailto:${contact}`}>{contact}</a>;
  if (/^[\d\s()+.-]{5,30}$/.test(contact)) return <a href={telephoneAddress(contact, country)}>{contact}</a>;
  return contact;
}
