import { useLocation } from '@tanstack/react-router';
import { useLoaded } from '../../api/use-answer.ts';
import { useSite, useText } from '../../site/use-site.ts';
import { type Block, blocksOf, type LegalPage, legalText } from './legal-data.ts';

/** A text of the operator: privacy, terms, contact. */
export function Component() {
  const site = useSite();
  // Shows the page again after a switch of the language.
  useText();
  const page = useLocation({ select: ({ pathname }) => pathname.slice(1) }) as LegalPage;
  const data = useLoaded(legalText(site, page));
  return (
    <article className="page page-narrow stack">
      {blocksOf(data).map((block) => (
        <Part key={block.kind === 'list' ? block.items.join() : block.text} block={block} />
      ))}
    </article>
  );
}

function Part({ block }: { readonly block: Block }) {
  if (block.kind === 'list')
    return (
      <ul className="legal-list">
        {block.items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    );
  if (block.kind === 'title') return <h1>{block.text}</h1>;
  if (block.kind === 'heading') return <h2>{block.text}</h2>;
  return <p>{block.text}</p>;
}
