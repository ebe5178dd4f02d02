import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { LoadFailed } from '../../../primitives/list-parts.tsx';
import { Skeleton } from '../../../primitives/parts.tsx';
import { useSite, useText } from '../../../site/use-site.ts';
import { AgentsOnly } from '../agents-only.tsx';
import { draftDetail } from '../studio-queries.ts';

const DraftView = lazy(() => import('./draft-view.tsx'));
const route = getRouteApi('/studio/$propertyId/preview');

/** What buyers will see of a draft. */
export function Component() {
  const { propertyId } = route.useParams();
  return (
    <AgentsOnly path={`/studio/${propertyId}/preview`}>
      {() => <Preview key={propertyId} propertyId={propertyId} />}
    </AgentsOnly>
  );
}

function Preview({ propertyId }: { readonly propertyId: string }) {
  const { api } = useSite();
  const { data: home, isError, refetch } = useQuery(draftDetail(api, propertyId));
  if (home === undefined)
    return (
      <Empty>{isError ? <LoadFailed onRetry={() => void refetch()} /> : <Skeleton height="20rem" />}</Empty>
    );
  return (
    <Suspense
      fallback={
        <Empty>
          <Skeleton height="20rem" />
        </Empty>
      }
    >
      <DraftView home={home} />
    </Suspense>
  );
}

function Empty({ children }: { readonly children: ReactNode }) {
  const { t } = useText();
  return (
    <div className="page">
      <h1>{t('studio.preview.title')}</h1>
      {children}
    </div>
  );
}
