import { resources } from '../../contract/registry.js';
import type { SvcClient } from '../../sdk/client.js';
import { listFlags } from '../base/flags.js';
import { ListCommand } from '../base/list-command.js';
import { answersView } from '../views/answers.js';

export default class Answers extends ListCommand<'answers'> {
  static override summary = resources.answers.summary;
  static override examples = ['<%= config.bin %> answers', '<%= config.bin %> answers --all --format csv'];
  static override flags = listFlags(resources.answers.params);

  protected readonly resource = 'answers';
  protected readonly view = answersView;
  protected reader = (svc: SvcClient) => svc.answers;
}
