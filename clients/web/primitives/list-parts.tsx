import { useText } from '../site/use-site.ts';
import { Button } from './button.tsx';
import { EmptyState } from './parts.tsx';

/** What a page shows instead of a list that could not be loaded. */
export function LoadFailed({ title, onRetry }: { readonly title?: string; readonly onRetry: () => void }) {
  const { t } = useText();
  return (
    <EmptyState
      title={title ?? t('problem.failed')}
      action={<Button onPress={onRetry}>{t('common.retry')}</Button>}
    />
  );
}

interface LoadMoreProps {
  readonly list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    fetchNextPage(): Promise<unknown>;
  };
}

/** Loads the next page of a list, if it has one. */
export function LoadMore({ list }: LoadMoreProps) {
  const { t } = useText();
  return list.hasNextPage ? (
    <div>
      <Button onPress={() => void list.fetchNextPage()} isDisabled={list.isFetchingNextPage}>
        {t('common.more')}
      </Button>
    </div>
  ) : null;
}
