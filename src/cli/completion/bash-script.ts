/** Defines the one function of the package bash-completion that the script for bash calls, where it is not installed. */
const fallback = `if ! declare -F _get_comp_words_by_ref >/dev/null; then
  _get_comp_words_by_ref() {
    cur="\${COMP_WORDS[COMP_CWORD]}"
    prev="\${COMP_WORDS[COMP_CWORD-1]}"
    words=("\${COMP_WORDS[@]}")
    cword=$COMP_CWORD
  }
fi
`;

/**
 * The script for bash. Its constants are not read-only, so that it can be loaded twice, and have the name of the command, so that
 * another command's script of the same library does not change them.
 */
export const bashScript = (script: string, bin: string): string =>
  fallback + script.replace(/^readonly /gm, '').replaceAll('ShellCompDirective', `__${bin}_directive`);
