import { telephoneAddress } from '../../../../i18n/countries.ts';
import { Avatar } from '../../primitives/parts.tsx';
import { useSite, useText } from '../../site/use-site.ts';
import type { Detail } from './listing-data.ts';

/** Who offers a home: photo, office, license, telephone. */
export default function AgentCard({ agent }: { readonly agent: NonNullable<Detail['agent']> }) {
  const { country } = useSite().settings.site;
  const { t } = useText();
  return (
    <section className="panel agent-card" aria-label={t('listing.agent')}>
      <div className="row">
        <Avatar name={agent.fullName} image={agent.photoUrl} />
        <div>
          <strong dir="auto">{agent.fullName}</strong>
          {agent.officeName === null ? null : <p className="muted">{agent.officeName}</p>}
        </div>
      </div>
      {agent.licenseNumber === null ? null : (
        <p className="muted">{t('listing.license', { number: agent.licenseNumber })}</p>
      )}
      {agent.phone === null ? null : (
        <a className="agent-way" href={telephoneAddress(agent.phone, country)}>
          {agent.phone}
        </a>
      )}
      {agent.email === null ? null : (
        <a className="agent-way" href={`mailto:${agent.email}`}>
          {agent.email}
        </a>
      )}
    </section>
  );
}
