import type { Field, FieldType, Resource } from '../../persistence/reso/fields.ts';

/** `$metadata` in CSDL 4.0, made of the same tables as the answers (docs/feeds.md#metadata). */
const NAMESPACE = 'org.reso.metadata';
const TYPES: Readonly<Record<FieldType, string>> = {
  key: 'Edm.String',
  string: 'Edm.String',
  strings: 'Collection(Edm.String)',
  int: 'Edm.Int64',
  decimal: 'Edm.Decimal',
  date: 'Edm.Date',
  instant: 'Edm.DateTimeOffset',
  boolean: 'Edm.Boolean',
};
const LOOKUP = 'RESO.OData.Metadata.LookupName';

function property(name: string, field: Field): string {
  const facets = [
    field.isGiven === true ? ' Nullable="false"' : '',
    field.max === undefined ? '' : ` MaxLength="${field.max}"`,
    field.type === 'instant' ? ' Precision="3"' : '',
    field.precision === undefined ? '' : ` Precision="${field.precision}" Scale="${field.scale}"`,
  ].join('');
  const head = `        <Property Name="${name}" Type="${TYPES[field.type]}"${facets}`;
  return field.lookup === undefined
    ? `${head}/>`
    : `${head}><Annotation Term="${LOOKUP}" String="${field.lookup}"/></Property>`;
}

function entityType({ name, key, fields, expansions }: Resource): string {
  const links = Object.entries(expansions).map(([link, { resource, isCollection }]) => {
    const type = `${NAMESPACE}.${resource}`;
    return `        <NavigationProperty Name="${link}" Type="${isCollection ? `Collection(${type})` : type}"/>`;
  });
  return `      <EntityType Name="${name}">
        <Key><PropertyRef Name="${key}"/></Key>
${[...Object.entries(fields).map(([field, of]) => property(field, of)), ...links].join('\n')}
      </EntityType>`;
}

function entitySet({ name, expansions }: Resource): string {
  const bindings = Object.entries(expansions).map(
    ([link, { resource }]) => `          <NavigationPropertyBinding Path="${link}" Target="${resource}"/>`,
  );
  const head = `        <EntitySet Name="${name}" EntityType="${NAMESPACE}.${name}"`;
  return bindings.length === 0 ? `${head}/>` : `${head}>\n${bindings.join('\n')}\n        </EntitySet>`;
}

export function metadataOf(resources: ReadonlyMap<string, Resource>): string {
  const all = [...resources.values()];
  return `<?xml version="1.0" encoding="UTF-8"?>
<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
  <edmx:DataServices>
    <Schema Namespace="${NAMESPACE}" xmlns="http://docs.oasis-open.org/odata/ns/edm">
${all.map(entityType).join('\n')}
      <EntityContainer Name="Container">
${all.map(entitySet).join('\n')}
      </EntityContainer>
    </Schema>
  </edmx:DataServices>
</edmx:Edmx>
`;
}
