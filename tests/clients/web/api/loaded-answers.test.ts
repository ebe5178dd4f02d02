import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { ANSWERS_ID, takeAnswers, writeAnswers } from '../../../../clients/web/api/loaded-answers.ts';

test('answers travel in a document, whatever their text; failed questions do not', async () => {
  const server = new QueryClient();
  server.setQueryData(['home', { id: 1 }], { text: 'a </script><!-- b', missing: null });
  await server.prefetchQuery({
    queryKey: ['failed'],
    queryFn: () => Promise.reject(new Error()),
    retry: false,
  });
  const textContent = writeAnswers(server);
  expect(textContent).not.toContain('<');
  const browser = new QueryClient();
  const getElementById = (id: string) => (id === ANSWERS_ID ? { textContent } : null);
  takeAnswers({ getElementById } as unknown as Document, browser);
  expect(browser.getQueryData(['home', { id: 1 }])).toEqual({ text: 'a </script><!-- b', missing: null });
  expect(browser.getQueryCache().getAll()).toHaveLength(1);
});
