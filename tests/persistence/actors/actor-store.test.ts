import { actorStoreConformance } from '../../support/database/conformance/actor-store-conformance.ts';
import { postgresStoreUnderTest } from '../../support/database/postgres-store-under-test.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';

const database = useStoreDatabase();

actorStoreConformance('PostgreSQL', () => postgresStoreUnderTest(database));
