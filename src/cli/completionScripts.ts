/**
 * The completion scripts. All work alike: they walk the words before the cursor to the command that
 * they name, skipping values of options, and offer what may follow it. They run no program, so they
 * answer at once.
 */

/** A word that completes the line, and what it is. */
export type Candidate = { readonly name: string; readonly about: string };

/** An option that takes a value, and the values that it may have, if they are fixed. */
export type Value = {
  readonly flag: string;
  readonly choices: readonly string[];
  readonly isFile: boolean;
};

/** A command with all that may follow it; `path` is its words, such as "vitrine keys issue". */
export type Place = {
  readonly path: string;
  readonly commands: readonly Candidate[];
  readonly options: readonly Candidate[];
  readonly values: readonly Value[];
  readonly takesFiles: boolean;
};

/** The script of each shell. */
export const scripts = { bash, zsh, fish } as const;

function bash(places: readonly Place[]): string {
  return `# Completion of vitrine for bash, printed by "vitrine completion bash".
_vitrine_files() {
  local file
  while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$1")
  compopt -o filenames 2>/dev/null
}
_vitrine() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]}
  local place=vitrine commands= options= choices= word i
  # Bash splits --option=value into three words.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case "$place $word" in
      ${patterns(valuePaths(places))})
        i=$((i + 1)) ;;
      ${patterns(commandPaths(places))})
        place="$place $word" ;;
    esac
  done
  case "$place $previous" in
${fixedValues(places, (path, choices) => `    ${path}) choices=${quoted(choices.join(' '))} ;;`)}
    ${patterns(fileValuePaths(places))})
      _vitrine_files "$current"
      return ;;
    ${patterns(freeValuePaths(places))})
      return ;;
    *)
      case "$place" in
${places.map(bashLine).join('\n')}
      esac
      choices=$commands
      [[ $current == -* ]] && choices=$options ;;
  esac
  case "$place $choices" in
    ${patterns(filePaths(places).map((path) => `${path} `))})
      _vitrine_files "$current"
      return ;;
  esac
  COMPREPLY=($(compgen -W "$choices" -- "$current"))
}
complete -F _vitrine vitrine
`;
}

function zsh(places: readonly Place[]): string {
  const described = (list: readonly Candidate[]) =>
    list.map(({ name, about }) => quoted(about === '' ? name : `${name}:${about}`)).join(' ');
  return `#compdef vitrine
# Completion of vitrine for zsh, printed by "vitrine completion zsh".
_vitrine() {
  local place=vitrine word i
  local -a commands options choices
  for ((i = 2; i < CURRENT; i++)); do
    word=\${words[i]}
    case "$place $word" in
      ${patterns(valuePaths(places))})
        ((i++)) ;;
      ${patterns(commandPaths(places))})
        place="$place $word" ;;
    esac
  done
  case "$place \${words[CURRENT - 1]}" in
${fixedValues(places, (path, choices) => `    ${path}) choices=(${choices.join(' ')}) ;;`)}
    ${patterns(fileValuePaths(places))})
      _files
      return ;;
    ${patterns(freeValuePaths(places))})
      return ;;
  esac
  if (( \${#choices} )); then
    _describe value choices
    return
  fi
  case "$place" in
${places
  .map(
    (place) => `    "${place.path}")
      commands=(${described(place.commands)})
      options=(${described(place.options)}) ;;`,
  )
  .join('\n')}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then
    _describe -o option options
    return
  fi
  case "$place" in
    ${patterns(filePaths(places))}) _files ;;
    *) _describe command commands ;;
  esac
}
if [[ $funcstack[1] == _vitrine ]]; then
  _vitrine "$@"
else
  compdef _vitrine vitrine
fi
`;
}

function fish(places: readonly Place[]): string {
  const printed = (list: readonly Candidate[]) =>
    list.map(({ name, about }) => ` ${fishQuoted(name)} ${fishQuoted(about)}`).join('');
  const cases = (paths: readonly string[]) => paths.map((path) => ` '${path}'`).join('');
  return `# Completion of vitrine for fish, printed by "vitrine completion fish".
function __vitrine_complete
    set -l place vitrine
    set -l previous
    for word in (commandline --tokenize --cut-at-cursor --current-process)[2..-1]
        if test -n "$previous"
            set previous
            continue
        end
        switch "$place $word"
            case${cases(valuePaths(places))}
                set previous "$place $word"
            case${cases(commandPaths(places))}
                set place "$place $word"
        end
    end
    switch "$previous"
        case ''
            __vitrine_follow "$place"
${fixedValues(places, (path, choices) => `        case ${path.replaceAll('"', "'").replaceAll('|', ' ')}\n            printf '%s\\n' ${choices.join(' ')}`)}
        case${cases(fileValuePaths(places))}
            __fish_complete_path (commandline --current-token)
    end
end
function __vitrine_follow --argument-names place
    set -l current (commandline --current-token --cut-at-cursor)
    if string match --quiet -- '-*' "$current"
        switch "$place"
${places.map((place) => `            case '${place.path}'\n                printf '%s\\t%s\\n'${printed(place.options)}`).join('\n')}
        end
        return
    end
    switch "$place"
        case${cases(filePaths(places))}
            __fish_complete_path "$current"
${places
  .filter(({ commands }) => commands.length > 0)
  .map(
    (place) =>
      `        case '${place.path}'\n            printf '%s\\t%s\\n'${printed(place.commands)}`,
  )
  .join('\n')}
    end
end
complete --command vitrine --no-files --arguments '(__vitrine_complete)'
`;
}

function bashLine({ path, commands, options }: Place): string {
  const list = (candidates: readonly Candidate[]) =>
    quoted(candidates.map(({ name }) => name).join(' '));
  return `        "${path}") commands=${list(commands)} options=${list(options)} ;;`;
}

function commandPaths(places: readonly Place[]): string[] {
  return places.map(({ path }) => path).filter((path) => path.includes(' '));
}

function filePaths(places: readonly Place[]): string[] {
  return places.filter(({ takesFiles }) => takesFiles).map(({ path }) => path);
}

function valuePaths(places: readonly Place[], isWanted = (_value: Value) => true): string[] {
  return places.flatMap(({ path, values }) =>
    values.filter(isWanted).map(({ flag }) => `${path} ${flag}`),
  );
}

function fileValuePaths(places: readonly Place[]): string[] {
  return valuePaths(places, ({ isFile }) => isFile);
}

function freeValuePaths(places: readonly Place[]): string[] {
  return valuePaths(places, ({ isFile, choices }) => !isFile && choices.length === 0);
}

/** A line for each list of values, with the options that take it. */
function fixedValues(
  places: readonly Place[],
  write: (paths: string, choices: readonly string[]) => string,
): string {
  const lists = new Map<string, string[]>();
  for (const { path, values } of places) {
    for (const { flag, choices } of values) {
      if (choices.length === 0) continue;
      const key = choices.join(' ');
      lists.set(key, [...(lists.get(key) ?? []), `${path} ${flag}`]);
    }
  }
  return [...lists].map(([key, paths]) => write(patterns(paths), key.split(' '))).join('\n');
}

/** Alternatives of a `case`. */
function patterns(paths: readonly string[]): string {
  return paths.map((path) => `"${path}"`).join('|');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, '\\$&')}'`;
}
