import { ButtonLink } from '../../primitives/button.tsx';
import { useText } from '../../site/use-site.ts';

/** Leads to the reader's thread about a home, where the first question is asked. */
export default function AskLink({ propertyId }: { readonly propertyId: string }) {
  const { t } = useText();
  return (
    <ButtonLink to="/inbox/$propertyId/$customerId" params={{ propertyId, customerId: 'me' }}>
      {t('tour.ask')}
    </ButtonLink>
  );
}
