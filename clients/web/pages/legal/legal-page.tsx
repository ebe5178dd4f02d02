import { useLocation } from '@tanstack/react-router';
import { useLoaded } from '../../api/use-answer.ts';
import { useSite, useText } from '../../site/use-site.ts';
import { type LegalPage, legalText } from './legal-data.ts';
import { type Block, blocksOf, piecesOf } from './text-parts.ts';

/** A text of the operator: about, privacy, terms, contact. */
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
          <li key={item}>
            <Line text={item} />
          </li>
        ))}
      </ul>
    );
  const Tag = TAGS[block.kind];
  return (
    <Tag>
      <Line text={block.text} />
    </Tag>
  );
}

const TAGS = { title: 'h1', heading: 'h2', subheading: 'h3', paragraph: 'p' } as const;

const Line = ({ text }: { readonly text: string }) =>
  piecesOf(text).map((piece) => {
    const key = `${piece.href ?? ''} ${piece.text}`;
    if (piece.isBold) return <strong key={key}>{piece.text}</strong>;
    return piece.href === undefined ? (
      piece.text
    ) : (
      <a key={key} href={piece.href}>
        {piece.text}
      </a>
    );
  });
