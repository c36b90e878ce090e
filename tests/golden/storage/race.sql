PRAGMA user_version=1;
BEGIN TRANSACTION;
CREATE TABLE events (
  id    INTEGER PRIMARY KEY AUTOINCREMENT,
  race  TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  kind  TEXT NOT NULL,
  body  TEXT NOT NULL,
  sum INTEGER NOT NULL AS (hydra_sum(race, at_ms, kind, body)) STORED CHECK (sum = hydra_sum(race, at_ms, kind, body)));
INSERT INTO "events" VALUES(1,'touwptkunn',1795271969974,'race_created','{"spec":{"agents":[{"id":"a","model":"","name":"a"},{"id":"b","model":"","name":"b"}],"check_only":false,"config":{"agents":{"a":{"auth_command":[],"auth_env":[],"auth_files":[],"auth_static":false,"command":["sh","-c","echo x >> f","agent"],"display":"a","env":{},"env_if_root":{},"env_pass":[],"env_unset":[],"exit_class":[],"home":"shared","home_seed":[],"home_variable":"","home_write":{},"id":"a","ignore_exit_code":false,"install_hint":"","litter":[],"long_command":[],"models":[],"ok_exit":[0],"probe_command":[],"probe_regex":"","probe_timeout_seconds":20.0,"prompt":"argument","provider":"","resume_command":[],"sign_in_hint":"","stop":[],"stream":{"denied_path":"","denied_when":[],"error_class":"","error_regex":"","error_status":"","error_text":"","error_when":[],"format":"text","max_line_bytes":33554432,"model_path":"","model_when":[],"progress":[],"resume_when":[],"retry_regex":"","retry_status":"","retry_text":"","retry_when":[],"session_guard":false,"session_path":"","session_when":[],"skip_prefixes":[],"stderr_denied_regex":"","stderr_error_text":"","stderr_error_when":[],"stderr_retry_regex":"","terminal_ok":[],"terminal_required":false,"terminal_text":"","terminal_when":[],"text":{"error":"","input_includes_cache":false,"progress":"","session":"","sum_tokens":true,"tool":"","usage":""},"text_paths":[],"tool_paths":[],"tool_when":[],"turn_when":[],"turns":"","usage":{"cache_read":"","cache_write":"","cost_usd":"","cumulative":false,"input":"","input_includes_cache":false,"mode":"none","output":"","output_excludes_reasoning":false,"reasoning":"","unique":"","when":[]},"usage_fallbacks":[],"usage_file":{"format":"json_whole","path":"","rule":{"cache_read":"","cache_write":"","cost_usd":"","cumulative":false,"input":"","input_includes_cache":false,"mode":"none","output":"","output_excludes_reasoning":false,"reasoning":"","unique":"","when":[]}}},"version_min":"","version_tested":""},"b":{"auth_command":[],"auth_env":[],"auth_files":[],"auth_static":false,"command":["sh","-c","exit 3","agent"],"display":"b","env":{},"env_if_root":{},"env_pass":[],"env_unset":[],"exit_class":[],"home":"shared","home_seed":[],"home_variable":"","home_write":{},"id":"b","ignore_exit_code":false,"install_hint":"","litter":[],"long_command":[],"models":[],"ok_exit":[0],"probe_command":[],"probe_regex":"","probe_timeout_seconds":20.0,"prompt":"argument","provider":"","resume_command":[],"sign_in_hint":"","stop":[],"stream":{"denied_path":"","denied_when":[],"error_class":"","error_regex":"","error_status":"","error_text":"","error_when":[],"format":"text","max_line_bytes":33554432,"model_path":"","model_when":[],"progress":[],"resume_when":[],"retry_regex":"","retry_status":"","retry_text":"","retry_when":[],"session_guard":false,"session_path":"","session_when":[],"skip_prefixes":[],"stderr_denied_regex":"","stderr_error_text":"","stderr_error_when":[],"stderr_retry_regex":"","terminal_ok":[],"terminal_required":false,"terminal_text":"","terminal_when":[],"text":{"error":"","input_includes_cache":false,"progress":"","session":"","sum_tokens":true,"tool":"","usage":""},"text_paths":[],"tool_paths":[],"tool_when":[],"turn_when":[],"turns":"","usage":{"cache_read":"","cache_write":"","cost_usd":"","cumulative":false,"input":"","input_includes_cache":false,"mode":"none","output":"","output_excludes_reasoning":false,"reasoning":"","unique":"","when":[]},"usage_fallbacks":[],"usage_file":{"format":"json_whole","path":"","rule":{"cache_read":"","cache_write":"","cost_usd":"","cumulative":false,"input":"","input_includes_cache":false,"mode":"none","output":"","output_excludes_reasoning":false,"reasoning":"","unique":"","when":[]}}},"version_min":"","version_tested":""}},"capture":{"generated":["node_modules",".venv","venv","target","build","dist","__pycache__",".pytest_cache",".mypy_cache",".ruff_cache",".tox",".gradle",".next","vendor","coverage",".cache"]},"default_agents":[],"limits":{"agent_timeout_seconds":1800.0,"agents":0,"checks":0,"log_head_bytes":1048576,"log_tail_bytes":4194304,"memory_bytes":0,"processes":0,"stop_grace_seconds":10.0,"template_cache_gib":10},"merge":{"automatic":false,"ff_only":false,"message":null,"squash":false},"preflight":"auto","prices":{},"sandbox":{"check_network":false,"mode":"required","read":[],"write":[]},"scoring":{"allow_trivial":false,"build_command":"true","lint_command":null,"lint_reports":[],"test_command":"test -s f","test_reports":[],"thresholds":{"auto_merge_minimum":85.0,"fail_maximum":30.0},"timeout_per_check_seconds":120.0,"weights":{"build":30.0,"diff_size":15.0,"lint":15.0,"speed":10.0,"tests":30.0}},"workspace":{"caches":[],"checks":"fresh","copy":[],"isolation":"private","outputs":[],"ports":0,"read":[],"setup":null,"setup_network":false,"setup_timeout_seconds":600.0,"share":[],"warm":null}},"created_ms":1795271969974,"environment":[["HOME","/home/ada"],["PATH","/usr/bin:/bin"]],"fresh_baseline":false,"id":"touwptkunn","isolation":"bwrap","isolation_note":"","preflight":true,"repository":{"alternates":[],"base":"5ef0a6c43016c477eb6358d9606e868531915ee2","base_tree":"15d33df6022262c18947e3806255d667b28ea531","common_dir":"/home/ada/app/.git","conversion":[],"dirty":[],"excludes_file":"","file_count":2,"git_dir":"/home/ada/app/.git","has_submodules":false,"head":"5ef0a6c43016c477eb6358d9606e868531915ee2","head_ref":"refs/heads/main","included_dirty":false,"object_format":"sha1","partial":false,"root":"/home/ada/app","safe_directory":false,"shallow":false,"sparse":false,"subdirectory":"","user_email":"ada@example.org","user_name":"Ada"},"secret_names":["XDG_RUNTIME_DIR","XDG_STATE_HOME"],"task":"make it better","token":"88b0d6501c3817d20a573678d722b8c1","tree_rung":"overlay_root"}}');
INSERT INTO "events" VALUES(2,'touwptkunn',1795271969989,'race_prepared','{}');
INSERT INTO "events" VALUES(3,'touwptkunn',1795271969999,'workspace_ready','{"agent":"b","path":"/home/ada/.local/state/hydra/races/touwptkunn/work/b"}');
INSERT INTO "events" VALUES(4,'touwptkunn',1795271970000,'workspace_ready','{"agent":"a","path":"/home/ada/.local/state/hydra/races/touwptkunn/work/a"}');
INSERT INTO "events" VALUES(5,'touwptkunn',1795271970002,'template_ready','{"cached":false,"digest":"c1c68ef9e8e650fe7ae45e941e70627a","notes":[],"steps":[{"name":"checkout","wall_ms":4},{"name":"share","wall_ms":0}],"warm":false}');
INSERT INTO "events" VALUES(6,'touwptkunn',1795271970004,'subject_ready','{"facts":{"left_out":[],"reasons":[],"setup":false,"tree":"overlay","warm":false},"path":"/home/ada/.local/state/hydra/races/touwptkunn/checks/baseline/mount","subject":"@baseline"}');
INSERT INTO "events" VALUES(7,'touwptkunn',1795271970021,'check_ended','{"evidence":{"advice":null,"attempt":"touwptkunn/@baseline/build/1","cached":false,"command":"true","dimension":"build","exit_code":0,"isolation":"bwrap","lint":null,"message":"","signal":null,"status":"passed","tests":null,"wall_ms":12},"subject":"@baseline"}');
INSERT INTO "events" VALUES(8,'touwptkunn',1795271970039,'check_ended','{"evidence":{"advice":null,"attempt":"touwptkunn/@baseline/tests/1","cached":false,"command":"test -s f","dimension":"tests","exit_code":0,"isolation":"bwrap","lint":null,"message":"","signal":null,"status":"passed","tests":{"complete":false,"confidence":"none","counts":{"errors":null,"failed":null,"passed":null,"skipped":null,"total":null},"evidence":[],"format":"exit_code_only","outcome":"","suspicious":[],"tests":[]},"wall_ms":11},"subject":"@baseline"}');
INSERT INTO "events" VALUES(9,'touwptkunn',1795271970039,'agent_starting','{"agent":"a","attempt":"touwptkunn/a/agent/1","number":1}');
INSERT INTO "events" VALUES(10,'touwptkunn',1795271970039,'agent_starting','{"agent":"b","attempt":"touwptkunn/b/agent/1","number":1}');
INSERT INTO "events" VALUES(11,'touwptkunn',1795271970063,'agent_ended','{"agent":"a","job":{"attempt":"touwptkunn/a/agent/1","cpu_system_ms":0,"cpu_user_ms":5,"end":"exited","exit_code":0,"isolation":"bwrap","leaked":0,"max_rss_kib":1960,"output_bytes":0,"output_cut":false,"signal":null,"wall_ms":14},"verdict":{"advice":"","error_class":"","final_text":"","message":"","model":"","outcome":"completed","session":"","turns":null,"usage":{"cache_read":null,"cache_write":null,"cost_usd":null,"estimated":false,"input":null,"output":null,"reasoning":null}}}');
INSERT INTO "events" VALUES(12,'touwptkunn',1795271970078,'agent_ended','{"agent":"b","job":{"attempt":"touwptkunn/b/agent/1","cpu_system_ms":2,"cpu_user_ms":2,"end":"exited","exit_code":3,"isolation":"bwrap","leaked":0,"max_rss_kib":1960,"output_bytes":0,"output_cut":false,"signal":null,"wall_ms":15},"verdict":{"advice":"try its command by hand, `hydra logs` shows the rest","error_class":"launch_error","final_text":"","message":"b exited with code 3 before it said anything; try its command by hand, `hydra logs` shows the rest","model":"","outcome":"launch_error","session":"","turns":null,"usage":{"cache_read":null,"cache_write":null,"cost_usd":null,"estimated":false,"input":null,"output":null,"reasoning":null}}}');
INSERT INTO "events" VALUES(13,'touwptkunn',1795271970080,'captured','{"agent":"b","capture":{"agent_commits":0,"changed":false,"commit":"5ef0a6c43016c477eb6358d9606e868531915ee2","diff":{"files_changed":0,"lines_added":0,"lines_removed":0},"flags":[],"left_out":[],"tree":"15d33df6022262c18947e3806255d667b28ea531","trivial":false,"warnings":[]}}');
INSERT INTO "events" VALUES(14,'touwptkunn',1795271970089,'captured','{"agent":"a","capture":{"agent_commits":0,"changed":true,"commit":"e3ff14708e07ab216dd625ab6c94cb32706da71d","diff":{"files_changed":1,"lines_added":1,"lines_removed":0},"flags":[],"left_out":[],"tree":"441ca3404af62562e739969ee55ca4f943764b31","trivial":false,"warnings":[]}}');
INSERT INTO "events" VALUES(15,'touwptkunn',1795271970101,'subject_ready','{"facts":{"left_out":[],"reasons":["f: named by a command"],"setup":false,"tree":"overlay","warm":false},"path":"/home/ada/.local/state/hydra/races/touwptkunn/checks/a/mount","subject":"a"}');
INSERT INTO "events" VALUES(16,'touwptkunn',1795271970111,'published','{"branches":[["a","hydra/a-1795271969"]]}');
INSERT INTO "events" VALUES(17,'touwptkunn',1795271970154,'check_ended','{"evidence":{"advice":null,"attempt":"touwptkunn/a/build/1","cached":false,"command":"true","dimension":"build","exit_code":0,"isolation":"bwrap","lint":null,"message":"","signal":null,"status":"passed","tests":null,"wall_ms":36},"subject":"a"}');
INSERT INTO "events" VALUES(18,'touwptkunn',1795271970176,'check_ended','{"evidence":{"advice":null,"attempt":"touwptkunn/a/tests/1","cached":false,"command":"test -s f","dimension":"tests","exit_code":0,"isolation":"bwrap","lint":null,"message":"","signal":null,"status":"passed","tests":{"complete":false,"confidence":"none","counts":{"errors":null,"failed":null,"passed":null,"skipped":null,"total":null},"evidence":[],"format":"exit_code_only","outcome":"","suspicious":[],"tests":[]},"wall_ms":19},"subject":"a"}');
INSERT INTO "events" VALUES(19,'touwptkunn',1795271970176,'scoring_result','{"ranking":{"agents":[{"agent":"a","eligible":true,"ineligible_reasons":[],"rank":1,"score":{"composite":100.0,"dimensions":[{"points":100.0,"reason":"exit_code","status":"scored","terms":[]},{"points":100.0,"reason":"exit_code_only","status":"scored","terms":[]},{"points":0.0,"reason":"","status":"not_configured","terms":[]},{"points":100.0,"reason":"","status":"scored","terms":[{"name":"lines_added","value":1.0},{"name":"lines_removed","value":0.0},{"name":"files_changed","value":1.0},{"name":"churn_score","value":100.0},{"name":"file_score","value":100.0}]},{"points":100.0,"reason":"","status":"scored","terms":[{"name":"duration_ms","value":14.0},{"name":"fastest_ms","value":14.0}]}]},"tied":false},{"agent":"b","eligible":false,"ineligible_reasons":["launch_error","no_changes"],"rank":2,"score":{"composite":88.23529411764706,"dimensions":[{"points":100.0,"reason":"exit_code","status":"scored","terms":[]},{"points":100.0,"reason":"exit_code_only","status":"scored","terms":[]},{"points":0.0,"reason":"","status":"not_configured","terms":[]},{"points":100.0,"reason":"","status":"scored","terms":[{"name":"lines_added","value":0.0},{"name":"lines_removed","value":0.0},{"name":"files_changed","value":0.0},{"name":"churn_score","value":100.0},{"name":"file_score","value":100.0}]},{"points":0.0,"reason":"not_completed","status":"scored","terms":[{"name":"duration_ms","value":15.0},{"name":"fastest_ms","value":14.0}]}]},"tied":false}],"all_failed":false,"auto_merge":true,"notes":["baseline has no usable test report: tests are scored by exit code only"],"winner":"a"}}');
INSERT INTO "events" VALUES(20,'touwptkunn',1795271970176,'race_ended','{"state":"done"}');
CREATE TABLE evidence_cache (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  sum INTEGER NOT NULL AS (hydra_sum(key, value, at_ms)) STORED CHECK (sum = hydra_sum(key, value, at_ms)));
INSERT INTO "evidence_cache" VALUES('v2
/home/ada/app
15d33df6022262c18947e3806255d667b28ea531
bwrap overlay_root
-
false false 
HOME=/home/ada
PATH=/usr/bin:/bin
/usr/bin 247069 69632 1795263996.614291465
/bin 247069 69632 1795263996.614291465
+true
+test -s f
-
-
120 0 0
','{"build":{"advice":null,"attempt":"touwptkunn/@baseline/build/1","cached":false,"command":"true","dimension":"build","exit_code":0,"isolation":"bwrap","lint":null,"message":"","signal":null,"status":"passed","tests":null,"wall_ms":12},"lint":null,"tests":{"advice":null,"attempt":"touwptkunn/@baseline/tests/1","cached":false,"command":"test -s f","dimension":"tests","exit_code":0,"isolation":"bwrap","lint":null,"message":"","signal":null,"status":"passed","tests":{"complete":false,"confidence":"none","counts":{"errors":null,"failed":null,"passed":null,"skipped":null,"total":null},"evidence":[],"format":"exit_code_only","outcome":"","suspicious":[],"tests":[]},"wall_ms":11}}',1795271970039);
INSERT INTO "evidence_cache" VALUES('works 1
/home/ada/app
bwrap
+true
+test -s f
-
-
-












false 0
','1',1795271970040);
CREATE TABLE races (
  id         TEXT PRIMARY KEY,
  created_ms INTEGER NOT NULL,
  repository TEXT NOT NULL,
  task       TEXT NOT NULL,
  agents     TEXT NOT NULL,
  state      TEXT NOT NULL,
  winner     TEXT NOT NULL,
  sum INTEGER NOT NULL AS (hydra_sum(id, created_ms, repository, task, agents, state, winner)) STORED CHECK (sum = hydra_sum(id, created_ms, repository, task, agents, state, winner)));
INSERT INTO "races" VALUES('touwptkunn',1795271969974,'/home/ada/app','make it better','["a","b"]','done','a');
CREATE INDEX events_by_race ON events (race, id);
CREATE INDEX events_of_merges ON events (race, id) WHERE kind = 'merged';
CREATE INDEX events_of_branches ON events (race) WHERE kind IN ('published', 'combined');
CREATE INDEX races_by_time ON races (created_ms, id);
CREATE TABLE history_races (
  number     INTEGER PRIMARY KEY,
  race       TEXT NOT NULL UNIQUE,
  through    INTEGER NOT NULL,
  forgotten  INTEGER NOT NULL,
  state      TEXT NOT NULL,
  task       TEXT NOT NULL,
  kind       TEXT NOT NULL,
  labels     TEXT NOT NULL,
  root       TEXT NOT NULL,
  repository TEXT NOT NULL,
  base       TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  ended_ms   INTEGER NOT NULL,
  sum INTEGER NOT NULL AS (hydra_sum(race, through, forgotten, state, task, kind, labels, root, repository, base, created_ms, ended_ms)) STORED CHECK (sum = hydra_sum(race, through, forgotten, state, task, kind, labels, root, repository, base, created_ms, ended_ms)));
CREATE TABLE history_attempts (
  race       INTEGER NOT NULL,
  place      INTEGER NOT NULL,
  name       TEXT NOT NULL,
  entry      TEXT NOT NULL,
  agent      TEXT NOT NULL,
  asked      TEXT NOT NULL,
  model      TEXT NOT NULL,
  version    TEXT NOT NULL,
  attempt    INTEGER NOT NULL,
  outcome    TEXT NOT NULL,
  flags      INTEGER NOT NULL,
  rank       INTEGER NOT NULL,
  composite  REAL,
  build      REAL,
  tests      REAL,
  lint       REAL,
  diff_size  REAL,
  speed      REAL,
  fixed      INTEGER,
  broken     INTEGER,
  gained     REAL,
  damaged    REAL,
  arena      TEXT NOT NULL DEFAULT '',
  tokens     INTEGER,
  cost_usd   REAL,
  wall_ms    INTEGER NOT NULL,
  confidence TEXT NOT NULL DEFAULT '',
  rating     REAL,
  judged     REAL,
  merged_ms  INTEGER,
  votes      TEXT NOT NULL DEFAULT '',
  sum INTEGER NOT NULL AS (hydra_sum(place, race, name, entry, agent, asked, model, version, attempt, outcome, flags, rank, composite, build, tests, lint, diff_size, speed, fixed, broken, gained, damaged, arena, tokens, cost_usd, wall_ms, confidence, rating, judged, merged_ms, votes)) STORED CHECK (sum = hydra_sum(place, race, name, entry, agent, asked, model, version, attempt, outcome, flags, rank, composite, build, tests, lint, diff_size, speed, fixed, broken, gained, damaged, arena, tokens, cost_usd, wall_ms, confidence, rating, judged, merged_ms, votes)),
  PRIMARY KEY (race, place)) WITHOUT ROWID;
CREATE INDEX events_of_ends ON events (race, id)
  WHERE kind = 'race_ended' OR kind = 'merged' OR kind = 'merge_undone' OR kind = 'history_forgotten' OR kind = 'rated';
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('events',20);
COMMIT;
