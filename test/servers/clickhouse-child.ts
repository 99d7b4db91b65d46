import { DataType, load, open } from 'ffi-rs';

// ClickHouse publishes its server for download only, but the library of the chdb package contains
// the same program with its HTTP and TCP interfaces. Its command line runs in a process of its own,
// because the call blocks until the server ends.
const [library, ...commandLine] = process.argv.slice(2);
open({ library: 'chdb', path: library! });
const programArguments = ['clickhouse', ...commandLine];
load({
  library: 'chdb',
  funcName: 'chdb_query_cmdline',
  retType: DataType.I64,
  paramsType: [DataType.I32, DataType.StringArray],
  paramsValue: [programArguments.length, programArguments],
});
