import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Inputs } from '../../../../typescript/procedures.ts';
import { useSite, useText } from '../../../site/use-site.ts';
import { sameHome } from '../studio-queries.ts';

/** Says that there is another listing of the address. Nothing is wrong with it: homes are listed again. */
export function SameHome({ home }: { readonly home: Inputs['addresses']['findSame'] }) {
  const { api } = useSite();
  const { t } = useText();
  const isNamed = home.address !== '' && home.city !== '';
  const { data: same } = useQuery({ ...sameHome(api, home), enabled: isNamed });
  return (
    <p role="status" className="studio-note">
      {same == null ? null : (
        <>
          {t(`studio.same.${same.whose}`)}{' '}
          {same.propertyId === null ? null : (
            <Link
              to={same.whose === 'MINE' ? '/studio/$propertyId/details' : '/properties/$propertyId'}
              params={{ propertyId: same.propertyId }}
            >
              {t('studio.same.open')}
            </Link>
          )}
        </>
      )}
    </p>
  );
}
