/*
Bundled from src/ by tests/obsidian/build.mjs; do not edit. It holds a Markdown reader whose licences stand at the end.
*/
var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __export = (target, all) => {
  for (var name in all)
    __defProp(target, name, { get: all[name], enumerable: true });
};
var __copyProps = (to, from, except, desc) => {
  if (from && typeof from === "object" || typeof from === "function") {
    for (let key of __getOwnPropNames(from))
      if (!__hasOwnProp.call(to, key) && key !== except)
        __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
  }
  return to;
};
var __toCommonJS = (mod) => __copyProps(__defProp({}, "__esModule", { value: true }), mod);

// src/main.js
var main_exports = {};
__export(main_exports, {
  default: () => Deepseedian
});
module.exports = __toCommonJS(main_exports);
var import_obsidian21 = require("obsidian");

// src/activity.js
var QUIET_MS = 3e4;
function reportActivity(plugin) {
  let last = 0;
  const seen = () => {
    const now = Date.now();
    if (now - last > QUIET_MS && plugin.link.presence === "here") {
      last = now;
      plugin.client.post("/v1/activity").catch(() => {
        last = 0;
      });
    }
  };
  const watch = (document) => {
    plugin.registerDomEvent(document, "keydown", seen, { passive: true });
    plugin.registerDomEvent(document, "pointerdown", seen, { passive: true });
  };
  watch(activeDocument);
  plugin.registerEvent(plugin.app.workspace.on("window-open", (_, window2) => watch(window2.document)));
}

// src/chat.js
var import_obsidian11 = require("obsidian");

// src/endpoint.js
function runtimeFolder(node) {
  const given = (node.env.DEEPSEEDIAN_RUNTIME_DIR ?? "").trim();
  if (given) {
    return given === "~" || given.startsWith("~/") ? node.home + given.slice(1) : given;
  }
  if (node.platform === "win32") {
    return `${node.env.LOCALAPPDATA || node.home + "\\AppData\\Local"}\\deepseedian\\run`;
  }
  return `${node.home}/.local/state/deepseedian/run`;
}
async function endpointOf(node, vault) {
  const folder = runtimeFolder(node);
  const real = await realPath(node, vault);
  for (const name of await files(node, folder)) {
    const found = await read(node, `${folder}/${name}`);
    if (found && (found.vault === real || await same(node, found.vault, real))) {
      return found;
    }
  }
  return null;
}
async function files(node, folder) {
  try {
    return (await node.fs.readdir(folder)).filter((name) => name.endsWith(".json")).sort();
  } catch {
    return [];
  }
}
async function read(node, file) {
  try {
    const body = JSON.parse(await node.fs.readFile(file, "utf8"));
    return isEndpoint(body) ? body : null;
  } catch {
    return null;
  }
}
function isEndpoint(body) {
  if (typeof body !== "object" || body === null) {
    return false;
  }
  const found = (
    /** @type {Record<string, unknown>} */
    body
  );
  return ["vault", "socket", "token"].every((name) => typeof found[name] === "string") && ["pid", "port"].every((name) => Number.isInteger(found[name]));
}
async function realPath(node, path2) {
  try {
    return await node.fs.realpath(path2);
  } catch {
    return path2;
  }
}
async function same(node, one, other) {
  try {
    const [first, second] = await Promise.all([node.fs.stat(one), node.fs.stat(other)]);
    return first.ino !== 0 && first.ino === second.ino && first.dev === second.dev;
  } catch {
    return false;
  }
}

// src/sse.js
var MOST = 16e6;
var EventParser = class {
  /** @param {(event: WireEvent) => void} give */
  constructor(give) {
    this.give = give;
    this.rest = "";
    this.event = { id: "", kind: "message", data: (
      /** @type {string[]} */
      []
    ) };
  }
  /** @param {string} text */
  push(text2) {
    const lines = (this.rest + text2).split("\n");
    this.rest = lines.pop() ?? "";
    if (this.rest.length > MOST) {
      throw new Error("an event is too long");
    }
    for (const line of lines) {
      this.line(line.endsWith("\r") ? line.slice(0, -1) : line);
    }
  }
  /** @param {string} line */
  line(line) {
    if (line === "") {
      this.end();
      return;
    }
    const at = line.indexOf(":");
    const name = at < 0 ? line : line.slice(0, at);
    const value = at < 0 ? "" : line.slice(at + (line[at + 1] === " " ? 2 : 1));
    if (name === "event") {
      this.event.kind = value;
    } else if (name === "id") {
      this.event.id = value;
    } else if (name === "data") {
      this.event.data.push(value);
    }
  }
  end() {
    const { id, kind, data } = this.event;
    this.event = { id: "", kind: "message", data: [] };
    if (data.length) {
      const document = JSON.parse(data.join("\n"));
      this.give({ id, kind, data: typeof document === "object" && document !== null ? document : {} });
    }
  }
};

// src/client.js
var ANSWER_MS = 7e4;
var STREAM_MS = 6e4;
var CONNECT_MS = 5e3;
var WireError = class extends Error {
  /** @param {string} code @param {string} message @param {string} [hint] @param {number} [status] */
  constructor(code2, message, hint = "", status = 0) {
    super(message);
    this.name = "WireError";
    this.code = code2;
    this.hint = hint;
    this.status = status;
  }
  /** Nobody carried anything out. */
  get away() {
    return this.code === "daemon_away";
  }
};
var Client = class {
  /** @param {import("./endpoint.js").Node} node @param {string} vault */
  constructor(node, vault) {
    this.node = node;
    this.vault = vault;
  }
  /** @param {string} path @param {Record<string, unknown>} [query] @returns {Promise<Json>} */
  get(path2, query = {}) {
    return this.call("GET", path2 + queryOf(query));
  }
  /** @param {string} path @param {Json} [body] @returns {Promise<Json>} */
  post(path2, body = {}) {
    return this.call("POST", path2, body);
  }
  /**
   * A change of an entry: repeated once under the same key when its answer was lost, so that it lands once.
   * @param {string} method @param {string} path @param {Json} [body] @returns {Promise<Json>}
   */
  async change(method, path2, body) {
    const key = this.node.crypto.randomUUID();
    try {
      return await this.call(method, path2, body, key);
    } catch (error2) {
      if (error2 instanceof WireError && error2.code === "lost_answer") {
        return this.call(method, path2, body, key);
      }
      throw error2;
    }
  }
  /**
   * One request and its whole answer. `signal` gives it up, and the daemon learns of that.
   * @param {string} method @param {string} path @param {Json} [body] @param {string} [key]
   * @param {{signal?: AbortSignal, wait?: number}} [options] @returns {Promise<Json>}
   */
  async call(method, path2, body, key = "", options = {}) {
    const answer = await this.request(method, path2, body, { ...options, key });
    const text2 = await whole(answer);
    const status = answer.statusCode ?? 0;
    if (status >= 300) {
      throw refusal(status, text2);
    }
    return parsed(text2, status);
  }
  /**
   * The events of a long answer until the daemon ends it. Raises `lost_answer` when the connection breaks, `stopped` when
   * `signal` does.
   * @param {string} method @param {string} path @param {Json | undefined} body @param {(event: WireEvent) => void} give
   * @param {{signal?: AbortSignal, after?: string}} [options]
   */
  async stream(method, path2, body, give, options = {}) {
    const answer = await this.request(method, path2, body, { ...options, wait: STREAM_MS });
    const status = answer.statusCode ?? 0;
    if (status >= 300) {
      throw refusal(status, await whole(answer));
    }
    const parser2 = new EventParser(give);
    answer.setEncoding("utf8");
    try {
      for await (const piece of answer) {
        parser2.push(String(piece));
      }
    } catch (error2) {
      throw options.signal?.aborted ? stopped() : lost(error2);
    }
    if (options.signal?.aborted) {
      throw stopped();
    }
  }
  /**
   * @param {string} method @param {string} path @param {Json | undefined} body
   * @param {{signal?: AbortSignal, after?: string, key?: string, wait?: number}} options
   * @returns {Promise<import("http").IncomingMessage>}
   */
  async request(method, path2, body, options) {
    const endpoint = await endpointOf(this.node, this.vault);
    if (!endpoint) {
      throw new WireError("daemon_away", "no daemon is listening", "deepseedian start");
    }
    const over = endpoint.socket ? { socketPath: endpoint.socket } : await this.proved(endpoint);
    const data = body === void 0 ? void 0 : JSON.stringify(body);
    const headers = endpoint.socket ? {} : { Authorization: `Bearer ${endpoint.token}` };
    if (data !== void 0) {
      headers["Content-Type"] = "application/json";
      headers["Content-Length"] = new TextEncoder().encode(data).length;
    }
    if (options.key) {
      headers["Idempotency-Key"] = options.key;
    }
    if (options.after) {
      headers["Last-Event-ID"] = options.after;
    }
    return this.sent({ ...over, method, path: path2, headers, signal: options.signal }, data, options.wait ?? ANSWER_MS);
  }
  /**
   * @param {import("http").RequestOptions} options @param {string | undefined} data @param {number} wait
   * @returns {Promise<import("http").IncomingMessage>}
   */
  sent(options, data, wait) {
    return new Promise((resolve, reject) => {
      const request = this.node.http.request(options, resolve);
      request.setTimeout(wait, () => request.destroy(new Error("the daemon is silent")));
      request.on("error", (error2) => {
        reject(options.signal?.aborted ? stopped() : nobody(error2) ? away() : lost(error2));
      });
      request.end(data);
    });
  }
  /**
   * A loopback connection whose other side has proved that it knows the token. It is used for one request and never opened
   * anew: what came in place of a closed one would be unproved.
   * @param {Endpoint} endpoint
   */
  async proved(endpoint) {
    const agent = new this.node.http.Agent({ keepAlive: true, maxSockets: 1, timeout: CONNECT_MS });
    let made = false;
    Object.assign(agent, {
      createConnection: (_, refuse) => {
        if (made) {
          refuse(away());
          return null;
        }
        made = true;
        return this.node.net.connect({ host: "127.0.0.1", port: endpoint.port, noDelay: true });
      }
    });
    const over = { agent, host: "127.0.0.1", port: endpoint.port };
    const challenge = this.node.crypto.randomBytes(16).toString("hex");
    const answer = await this.sent(
      { ...over, method: "GET", path: "/v1/health", headers: { "Deepseedian-Challenge": challenge } },
      void 0,
      CONNECT_MS
    );
    await whole(answer);
    const wanted = this.node.crypto.createHmac("sha256", endpoint.token).update(`deepseedian proof ${challenge}`).digest();
    const given = this.node.crypto.createHash("sha256").update(String(answer.headers["deepseedian-proof"] ?? "")).digest();
    const right = this.node.crypto.createHash("sha256").update(wanted.toString("hex")).digest();
    if (!this.node.crypto.timingSafeEqual(given, right)) {
      agent.destroy();
      throw new WireError("daemon_away", "another program listens on the daemon's port", "deepseedian start");
    }
    return over;
  }
};
function queryOf(query) {
  const words2 = Object.entries(query).filter(([, value]) => value !== void 0 && value !== "").map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return words2.length ? `?${words2.join("&")}` : "";
}
async function whole(answer) {
  let text2 = "";
  answer.setEncoding("utf8");
  try {
    for await (const piece of answer) {
      text2 += String(piece);
    }
  } catch (error2) {
    throw lost(error2);
  }
  return text2;
}
function parsed(text2, status) {
  try {
    return (
      /** @type {Json} */
      JSON.parse(text2)
    );
  } catch {
    throw new WireError("internal", `the daemon answered ${status} with something else than JSON`);
  }
}
function refusal(status, text2) {
  const error2 = (
    /** @type {{code?: unknown, message?: unknown, hint?: unknown}} */
    parsed(text2, status).error ?? {}
  );
  return new WireError(String(error2.code ?? "internal"), String(error2.message ?? status), String(error2.hint ?? ""), status);
}
function nobody(error2) {
  return error2 instanceof WireError || ["ECONNREFUSED", "ENOENT", "EACCES"].includes(String(
    /** @type {{code?: unknown}} */
    error2?.code
  ));
}
var away = () => new WireError("daemon_away", "no daemon is listening", "deepseedian start");
var stopped = () => new WireError("stopped", "stopped");
function lost(error2) {
  return new WireError("lost_answer", `the connection to the daemon broke: ${error2 instanceof Error ? error2.message : String(error2)}`);
}

// src/asking.js
var import_obsidian5 = require("obsidian");

// src/sessions.js
var import_obsidian4 = require("obsidian");

// src/dialogs.js
var import_obsidian2 = require("obsidian");

// src/words.js
var import_obsidian = require("obsidian");
function say(en, zh, ...values) {
  const text2 = chinese() ? zh : en;
  return text2.replace(/\{(\d)\}/g, (whole2, number) => String(values[Number(number)] ?? whole2));
}
function chinese() {
  return (0, import_obsidian.getLanguage)().toLowerCase().startsWith("zh");
}
function when(at) {
  return at ? (0, import_obsidian.moment)(at).format("YYYY-MM-DD HH:mm") : "";
}
function kindName(kind) {
  const names = (
    /** @type {Record<string, [string, string]>} */
    {
      preference: ["Preference", "偏好"],
      goal: ["Goal", "目标"],
      decision: ["Decision", "决定"],
      fact: ["Fact", "事实"],
      question: ["Question", "问题"],
      finding: ["Finding", "发现"],
      workflow: ["Workflow", "流程"]
    }
  );
  return Object.hasOwn(names, kind) ? say(...names[kind]) : kind;
}
function trustName(trust) {
  const names = (
    /** @type {Record<string, [string, string]>} */
    {
      user_stated: ["Said by you", "你说的"],
      system_derived: ["Derived", "推断的"],
      external: ["From elsewhere", "来自别处"]
    }
  );
  return Object.hasOwn(names, trust) ? say(...names[trust]) : trust;
}
function operationName(operation) {
  const names = (
    /** @type {Record<string, [string, string]>} */
    {
      add: ["Add", "新增"],
      edit: ["Correct", "更正"],
      merge: ["Merge", "合并"],
      move: ["Move", "移动"],
      archive: ["Archive", "归档"]
    }
  );
  return Object.hasOwn(names, operation) ? say(...names[operation]) : operation;
}
function toolName(name) {
  const names = (
    /** @type {Record<string, [string, string]>} */
    {
      memory_search: ["Searched memory", "搜索记忆"],
      memory_read: ["Read a memory", "读取记忆"],
      memory_propose: ["Proposed a change", "提议修改"],
      memory_manage: ["Changed memory", "修改记忆"],
      memory_organize: ["Looked for what is worth keeping", "整理记忆"],
      notes_search: ["Searched notes", "搜索笔记"],
      notes_read: ["Read a note", "读取笔记"],
      notes_metadata: ["Read a note's properties", "读取笔记属性"],
      notes_query: ["Listed notes", "列出笔记"],
      notes_resolve: ["Followed a link", "解析链接"],
      notes_related: ["Looked for related notes", "查找相关笔记"]
    }
  );
  return Object.hasOwn(names, name) ? say(...names[name]) : name;
}
function stateName(state) {
  const names = (
    /** @type {Record<string, [string, string]>} */
    {
      done: ["done", "已完成"],
      running: ["under way", "进行中"],
      stopped: ["stopped", "已停止"],
      failed: ["failed", "失败"],
      interrupted: ["interrupted", "中断"]
    }
  );
  return Object.hasOwn(names, state) ? say(...names[state]) : state;
}
var MODEL_FAILURES = {
  model_missing: "没有配置模型",
  model_away: "连不上模型服务",
  model_refused: "模型服务没有接受请求",
  model_timeout: "模型没有及时回答",
  model_cut: "模型的回答中途断了",
  model_answer: "模型的回答无法使用"
};
function failureText(error2) {
  const found = (
    /** @type {{code?: string, message?: string, hint?: string}} */
    error2 ?? {}
  );
  if (found.code === "daemon_away") {
    return say("Deepseedian is not running.", "Deepseedian 没有运行。");
  }
  if (found.code === "lost_answer") {
    return say("The connection broke. Look whether it was done before you repeat it.", "连接断了。重复之前请先看看是否已经完成。");
  }
  const lead = chinese() && Object.hasOwn(MODEL_FAILURES, found.code ?? "") ? `${MODEL_FAILURES[String(found.code)]}：` : "";
  const message = lead + String(found.message ?? error2);
  return found.hint ? say("{0} ({1})", "{0}（{1}）", message, found.hint) : message;
}

// src/dialogs.js
function confirmed(app, asked) {
  return new Promise((resolve) => {
    const modal = new import_obsidian2.Modal(app);
    let answer = false;
    modal.setTitle(asked.title);
    modal.contentEl.createEl("p", { text: asked.text });
    new import_obsidian2.Setting(modal.contentEl).addButton((button) => button.setButtonText(say("Cancel", "取消")).onClick(() => modal.close())).addButton((button) => button.setButtonText(asked.action).setWarning().onClick(() => {
      answer = true;
      modal.close();
    }));
    modal.onClose = () => resolve(answer);
    modal.open();
    modal.contentEl.querySelector("button")?.focus();
  });
}
function entered(app, asked) {
  return new Promise((resolve) => {
    const modal = new import_obsidian2.Modal(app);
    let answer = null;
    modal.setTitle(asked.title);
    const field = asked.long ? modal.contentEl.createEl("textarea", { cls: "deepseedian-edit", attr: { rows: "6", "aria-label": asked.title } }) : modal.contentEl.createEl("input", { cls: "deepseedian-edit", type: "text", attr: { "aria-label": asked.title } });
    field.value = asked.value ?? "";
    if (asked.choices && field.instanceOf(HTMLInputElement)) {
      const list2 = modal.contentEl.createEl("datalist", { attr: { id: "deepseedian-choices" } });
      asked.choices.forEach((choice) => list2.createEl("option", { value: choice }));
      field.setAttr("list", "deepseedian-choices");
    }
    const done = () => {
      answer = field.value;
      modal.close();
    };
    field.onkeydown = (event) => {
      if (event.key === "Enter" && !event.isComposing && (!asked.long || event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        done();
      }
    };
    new import_obsidian2.Setting(modal.contentEl).addButton((button) => button.setButtonText(say("Cancel", "取消")).onClick(() => modal.close())).addButton((button) => button.setButtonText(asked.action ?? say("Save", "保存")).setCta().onClick(done));
    modal.onClose = () => resolve(answer);
    modal.open();
    field.focus();
  });
}
function shown(app, title, fill) {
  const modal = new import_obsidian2.Modal(app);
  modal.setTitle(title);
  modal.contentEl.addClass("deepseedian");
  fill(modal.contentEl, modal);
  modal.open();
  return modal;
}

// src/parts.js
var import_obsidian3 = require("obsidian");
function iconButton(parent, icon, label, act) {
  const button = parent.createEl("button", { cls: "clickable-icon deepseedian-icon", attr: { "aria-label": label, type: "button" } });
  (0, import_obsidian3.setIcon)(button, icon);
  (0, import_obsidian3.setTooltip)(button, label);
  button.onclick = (event) => void act(event);
  return button;
}
function textButton(parent, text2, act, cls = "") {
  const button = parent.createEl("button", { text: text2, attr: { type: "button" } });
  if (cls) {
    button.addClass(cls);
  }
  button.onclick = (event) => void act(event);
  return button;
}
var PAGE = 60;
function longList(parent, items, draw) {
  parent.empty();
  let drawn = 0;
  const more = () => {
    const until = Math.min(drawn + PAGE, items.length);
    while (drawn < until) {
      draw(items[drawn++], parent);
    }
  };
  more();
  parent.onscroll = () => {
    if (drawn < items.length && parent.scrollTop + parent.clientHeight > parent.scrollHeight - 600) {
      more();
    }
  };
  return {
    /** Draw on until this row is there. @param {number} index */
    reach(index) {
      while (drawn <= index && drawn < items.length) {
        more();
      }
    }
  };
}
function awayLine(parent, plugin, note = "") {
  const line = parent.createDiv({ cls: "deepseedian-away", attr: { role: "status" } });
  line.createSpan({ text: `${say("Deepseedian is not running.", "Deepseedian 没有运行。")} ${note}` });
  textButton(line, say("Start it", "启动"), (event) => plugin.startDaemon(
    /** @type {HTMLButtonElement} */
    event.currentTarget
  ), "mod-cta");
  const show = () => line.toggleClass("is-hidden", plugin.link.presence !== "away");
  show();
  return { line, show };
}
function emptyLine(parent, text2) {
  return parent.createDiv({ cls: "deepseedian-empty", text: text2 });
}

// src/sessions.js
var SEARCH_MS = 150;
var MOST2 = 100;
var SessionList = class extends import_obsidian4.Modal {
  /** @param {import("./main.js").default} plugin @param {string} current @param {(id: string) => void} choose */
  constructor(plugin, current, choose) {
    super(plugin.app);
    this.plugin = plugin;
    this.current = current;
    this.choose = choose;
    this.asked = 0;
  }
  onOpen() {
    this.setTitle(say("Chats", "会话"));
    this.modalEl.addClass("deepseedian", "deepseedian-sessions");
    this.field = this.contentEl.createEl("input", { type: "search", cls: "deepseedian-edit", attr: {
      placeholder: say("Search in all chats", "在所有会话中搜索"),
      "aria-label": say("Search in all chats", "在所有会话中搜索")
    } });
    this.list = this.contentEl.createDiv({ cls: "deepseedian-list" });
    let waiting = 0;
    this.field.oninput = () => {
      window.clearTimeout(waiting);
      waiting = window.setTimeout(() => void this.refresh(), SEARCH_MS);
    };
    void this.refresh();
    this.field.focus();
  }
  async refresh() {
    const asked = ++this.asked;
    const list2 = this.list;
    if (!list2) {
      return;
    }
    try {
      const query = this.field?.value.trim() ?? "";
      const sessions = [];
      for (let total = 1; sessions.length < total && sessions.length < 1e3; ) {
        const page = await this.plugin.client.get("/v1/sessions", { query, offset: sessions.length, limit: MOST2 });
        sessions.push(.../** @type {Session[]} */
        page.sessions);
        total = page.sessions.length ? Number(page.total) : 0;
        if (asked !== this.asked) {
          return;
        }
        longList(list2, sessions, (session, parent) => this.row(session, parent));
      }
      if (!sessions.length) {
        list2.empty();
        emptyLine(list2, query ? say("No chat holds these words.", "没有会话包含这些词。") : say("No chats yet.", "还没有会话。"));
      }
    } catch (error2) {
      list2.empty();
      emptyLine(list2, failureText(error2));
    }
  }
  /** @param {Session} session @param {HTMLElement} parent */
  row(session, parent) {
    const row = parent.createDiv({ cls: "deepseedian-row", attr: { "data-id": session.id } });
    const open = row.createEl("button", { cls: "deepseedian-open", attr: { type: "button" } });
    open.createDiv({ text: session.title || session.id, cls: "deepseedian-title" });
    open.createDiv({ cls: "deepseedian-meta", text: session.excerpt ? String(session.excerpt) : say(session.turns === 1 ? "{0} · 1 turn" : "{0} · {1} turns", "{0} · {1} 轮", when(session.changed), Number(session.turns)) });
    if (session.id === this.current) {
      open.setAttr("aria-current", "true");
      open.createSpan({ cls: "deepseedian-meta", text: say("Open now", "当前会话") });
    }
    open.onclick = () => {
      this.close();
      this.choose(session.id);
    };
    row.toggleClass("is-active", session.id === this.current);
    iconButton(row, "pencil", say("Rename", "重命名"), () => this.rename(session));
    iconButton(row, "trash-2", say("Delete", "删除"), () => this.remove(session));
  }
  /** @param {Session} session */
  async rename(session) {
    const title = await entered(this.app, { title: say("Title of the chat", "会话标题"), value: session.title });
    if (title !== null) {
      await this.plugin.tried(() => this.plugin.client.call("PATCH", path(session.id), { title: title.trim() }));
      await this.refresh();
    }
  }
  /** @param {Session} session */
  async remove(session) {
    const sure = await confirmed(this.app, {
      title: say("Delete this chat?", "删除这个会话？"),
      action: say("Delete", "删除"),
      text: say("“{0}” and its traces are deleted. What was remembered from it stays.", "将删除“{0}”及其轨迹。从中记住的内容会保留。", session.title || session.id)
    });
    if (sure) {
      await this.plugin.tried(() => this.plugin.client.call("DELETE", path(session.id)));
      await this.refresh();
    }
  }
  onClose() {
    this.asked++;
    this.contentEl.empty();
  }
};
var path = (id) => `/v1/sessions/${encodeURIComponent(id)}`;
function showSwitches(app, session, save) {
  const modal = new import_obsidian4.Modal(app);
  modal.setTitle(say("This chat", "此会话"));
  modal.modalEl.addClass("deepseedian");
  const content = modal.contentEl;
  let goal = session.goal;
  new import_obsidian4.Setting(content).setName(say("Goal", "目标")).setDesc(say("Goes along with every question.", "附在每个问题之前。")).addTextArea((area) => area.setValue(goal).onChange((value) => {
    goal = value;
  }));
  new import_obsidian4.Setting(content).setName(say("Use memory", "使用记忆")).setDesc(say("Put matching memories before each question.", "在每个问题前放入相关记忆。")).addToggle((toggle) => toggle.setValue(session.reads).onChange((reads) => void save({ reads })));
  new import_obsidian4.Setting(content).setName(say("Learn from this chat", "从此会话学习")).setDesc(say("What you say may become proposals.", "你说的话可以成为提议。")).addToggle((toggle) => toggle.setValue(session.contributes).onChange((contributes) => void save({ contributes })));
  new import_obsidian4.Setting(content).setName(say("Learn only from now on", "只从现在起学习")).setDesc(session.fault ? String(session.fault) : session.contributeFrom ? say("What was said earlier is left out.", "之前说的不会被学习。") : say("Leaves out what was said so far.", "排除到目前为止说的话。")).addButton((button) => button.setButtonText(say("From now on", "从现在起")).onClick(() => void save({ contribute_from: "now" }))).addButton((button) => button.setButtonText(say("All of it", "全部")).onClick(() => void save({ contribute_from: "all" })));
  modal.onClose = () => {
    if (goal !== session.goal) {
      void save({ goal: goal.trim() });
    }
  };
  modal.open();
}

// src/asking.js
async function ask(view, question, again) {
  if (view.asking) {
    view.composer?.giveBack(question);
    return;
  }
  const asking = view.asking = new AbortController();
  view.stopping = false;
  const text2 = again ? view.turns[view.turns.length - 1]?.el.querySelector(".deepseedian-question")?.textContent ?? "" : question.text;
  const turn = view.now = view.turn(text2);
  view.composer?.setBusy(true);
  view.toEnd();
  const body = { question: question.text, session: view.session?.id ?? "", context: question.context, attachments: question.attachments, again };
  let begun = false;
  try {
    await view.plugin.client.stream("POST", "/v1/ask", body, (event) => {
      begun = true;
      took(view, turn, event.kind, event.data);
    }, { signal: asking.signal });
    if (!turn.state) {
      turn.end("interrupted", void 0);
    }
  } catch (error2) {
    failed(view, turn, question, error2, begun);
  } finally {
    view.asking = view.now = null;
    view.composer?.setBusy(false);
  }
}
function took(view, turn, kind, data) {
  const body = view.body;
  const atEnd = body ? body.scrollHeight - body.scrollTop - body.clientHeight < 80 : false;
  turn.take(kind, data);
  if (kind === "turn") {
    began(view, String(data.session));
    if (view.stopping) {
      void stop(view);
    }
  }
  if (kind === "done") {
    look(view, String(data.session));
  }
  if (atEnd) {
    view.toEnd();
  }
}
function began(view, id) {
  if (view.session?.id !== id) {
    view.session = /** @type {import("./sessions.js").Session} */
    { ...view.session, id, title: "", goal: "", reads: true, contributes: true };
    view.plugin.keepSession(id);
  }
  look(view, id);
}
function look(view, id) {
  void view.plugin.client.get(path(id)).then((found) => {
    if (view.session?.id === id) {
      view.session = /** @type {import("./sessions.js").Session} */
      found;
      view.drawHead();
    }
  }, () => void 0);
}
function failed(view, turn, question, error2, begun) {
  if (error2 instanceof WireError && error2.code === "stopped") {
    turn.end("stopped", void 0);
  } else if (begun) {
    turn.end("interrupted", void 0);
    view.plugin.link.again();
  } else {
    turn.close();
    turn.el.remove();
    view.turns = view.turns.filter((other) => other !== turn);
    view.composer?.giveBack(question);
    new import_obsidian5.Notice(failureText(error2));
  }
}
async function stop(view) {
  view.stopping = true;
  const id = view.now?.id;
  if (id && !await view.plugin.tried(() => view.plugin.client.post(`/v1/ask/${encodeURIComponent(id)}/stop`))) {
    view.asking?.abort();
  }
}

// src/place.js
var FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})[ \t]*(.*)$/;
var ITEM = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]/;
var BEGINNING = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?:\[.\][ \t]+)?/;
var DELIMITER = /^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
var RULE = /^[ \t>]*(?:([-*_])[ \t]*)(?:\1[ \t]*){2,}$/;
var DEEP = /^(?: {4}| {0,3}\t)/;
function refusedPlace(before, after) {
  const lines = before.split("\n");
  const line = lines[lines.length - 1] ?? "";
  if (inFrontMatter(lines)) {
    return "front_matter";
  }
  const { prose, open } = outsideFences(lines);
  if (open || FENCE.test(line) || indentedCode(lines)) {
    return "code";
  }
  const rest = after.split(/\n[ \t>]*\n/)[0] ?? "";
  return refusedLine(line, rest) || refusedBlock(prose, rest);
}
function refusedLine(line, rest) {
  const ends = rest.split("\n");
  const whole2 = line + ends[0];
  const words2 = line.replace(BEGINNING, "");
  if (!words2.trim()) {
    return "empty_line";
  }
  if (/^[ \t>]*#{1,6}(?:[ \t]|$)/.test(whole2) || /^[ \t]*(?:=+|-+)[ \t]*$/.test(ends[1] ?? "")) {
    return "heading";
  }
  if (RULE.test(whole2)) {
    return "rule";
  }
  if (/^[ \t>]*<[A-Za-z/!]/.test(whole2)) {
    return "html";
  }
  if (/[A-Za-z0-9]$/.test(line) && /^[A-Za-z0-9]/.test(rest)) {
    return "word";
  }
  if (/(?:^|[\s([（【「，。、；：！？])#[^\s#.,;:!?()[\]{}'"，。；：！？、（）【】「」]*$/u.test(line)) {
    return "tag";
  }
  return /(?:https?|ftp|file|obsidian):\/\/[^\s<>，。；：！？、（）]*$/i.test(line) || /\bwww\.[^\s<>]*$/i.test(line) ? "link" : "";
}
function refusedBlock(prose, rest) {
  const block2 = lastBlock(prose);
  if (inTable(block2, rest)) {
    return "table";
  }
  const { bare, open } = withoutCode(block2.join("\n"));
  if (open) {
    return "code";
  }
  const all = prose.join("\n").split(/\n[ \t>]*\n/).map((text2) => withoutCode(text2).bare).join("\n\n");
  if (all.split("$$").length % 2 === 0 || inMath(bare, rest)) {
    return "math";
  }
  if (all.split("%%").length % 2 === 0 || all.lastIndexOf("<!--") > all.lastIndexOf("-->")) {
    return "comment";
  }
  if (/<[A-Za-z/!][^<>]*$/.test(bare)) {
    return "html";
  }
  return openBracket(bare) ? "link" : "";
}
function inFrontMatter(lines) {
  return (lines[0] ?? "").replace(/^\ufeff/, "").trimEnd() === "---" && !lines.slice(1, -1).some((line) => ["---", "..."].includes(line.trimEnd()));
}
function outsideFences(lines) {
  const prose = [];
  let mark = "";
  for (const line of lines.slice(0, -1)) {
    const found = FENCE.exec(line);
    const [sign, info] = [found?.[1] ?? "", found?.[2] ?? ""];
    if (sign && !mark && !(sign.startsWith("`") && info.includes("`"))) {
      mark = sign;
      prose.push("");
    } else if (mark && sign.startsWith(mark) && !info.trim()) {
      mark = "";
    } else if (!mark) {
      prose.push(line);
    }
  }
  prose.push(lines[lines.length - 1] ?? "");
  return { prose, open: Boolean(mark) };
}
function indentedCode(lines) {
  if (!DEEP.test(lines[lines.length - 1] ?? "")) {
    return false;
  }
  for (let at = lines.length - 2; at >= 0; at--) {
    const line = lines[at] ?? "";
    if (line.trim() && (ITEM.test(line) || !DEEP.test(line))) {
      return !ITEM.test(line) && lines.slice(at + 1, -1).some((between) => !between.trim());
    }
  }
  return true;
}
function lastBlock(lines) {
  let from = lines.length - 1;
  while (from > 0 && (lines[from - 1] ?? "").replace(/^[ \t>]+/, "").trim()) {
    from--;
  }
  return lines.slice(from);
}
function inTable(block2, rest) {
  const [line, above, ends] = [block2[block2.length - 1] ?? "", block2.slice(0, -1), rest.split("\n")];
  return /^[ \t>]*\|/.test(line) || above.some((one) => one.includes("|") && DELIMITER.test(one)) || (ends[1] ?? "").includes("|") && DELIMITER.test(ends[1] ?? "") && (line + ends[0]).includes("|");
}
function withoutCode(text2) {
  const pieces = /\\[^]?|`+|[^\\`]+/g;
  let bare = "";
  for (let piece = pieces.exec(text2)?.[0]; piece; piece = pieces.exec(text2)?.[0]) {
    if (!piece.startsWith("`")) {
      bare += piece.startsWith("\\") ? "x" : piece;
      continue;
    }
    const closing = new RegExp(`(?<!\`)${piece}(?!\`)`, "g");
    closing.lastIndex = pieces.lastIndex;
    if (!closing.test(text2)) {
      return { bare, open: true };
    }
    pieces.lastIndex = closing.lastIndex;
    bare += "x";
  }
  return { bare, open: false };
}
function inMath(block2, rest) {
  const text2 = block2.replace(/\$\$.*?\$\$/gs, "x");
  let begun = -1;
  for (const sign of text2.matchAll(/(?<!\$)\$(?!\$)/g)) {
    const [left, right] = [text2[sign.index - 1] ?? "", text2[sign.index + 1] ?? ""];
    if (begun >= 0 && left.trim() && !/\d/.test(right)) {
      begun = -1;
    } else if (begun < 0 && (!right || right.trim())) {
      begun = sign.index + 1;
    }
  }
  return begun >= 0 && (!/\d/.test(text2[begun] ?? "") || rest.replace(/\\./g, "").includes("$"));
}
function openBracket(text2) {
  let depth = 0;
  for (let at = 0; at < text2.length; at++) {
    if (text2[at] === "[") {
      depth++;
    } else if (text2[at] === "]" && depth) {
      depth--;
    }
  }
  if (depth || !text2.includes("](")) {
    return depth > 0;
  }
  let open = 0;
  for (const sign of text2.slice(text2.lastIndexOf("](") + 1)) {
    open += sign === "(" ? 1 : sign === ")" ? -1 : 0;
    if (!open || sign === "\n") {
      return false;
    }
  }
  return true;
}
function tail(text2, most) {
  return text2.slice(-most).replace(/^[\udc00-\udfff]/, text2.length > most ? "" : "$&");
}
function head(text2, most) {
  return text2.slice(0, most).replace(/[\ud800-\udbff]$/, text2.length > most ? "" : "$&");
}

// src/chat_ghost.js
var BEFORE = 3e3;
var COPIED = (
  /** @type {const} */
  ["font", "padding", "borderWidth", "lineHeight", "letterSpacing", "textIndent"]
);
var ChatGhost = class {
  /**
   * @param {import("obsidian").Component} view whose end ends it @param {HTMLTextAreaElement} field
   * @param {import("./completing.js").Completion} completion
   */
  constructor(view, field, completion) {
    this.field = field;
    this.completion = completion;
    this.timer = 0;
    this.text = "";
    this.asked = "";
    this.composing = false;
    this.call = null;
    this.copy = null;
    completion.live.add(this);
    view.register(() => {
      this.dismiss();
      completion.live.delete(this);
    });
    view.registerDomEvent(field, "keydown", (event) => this.key(event), { capture: true });
    view.registerDomEvent(field, "input", () => this.changed());
    view.registerDomEvent(field, "blur", () => this.dismiss());
    view.registerDomEvent(field, "pointerdown", () => this.dismiss());
    view.registerDomEvent(field, "scroll", () => this.copy?.scrollTo(0, field.scrollTop));
    view.registerDomEvent(field, "compositionstart", () => {
      this.composing = true;
      this.dismiss();
    });
    view.registerDomEvent(field, "compositionend", () => {
      this.composing = false;
      this.changed();
    });
  }
  changed() {
    this.dismiss();
    const pause2 = this.completion.chat ? this.completion.pause : 0;
    if (pause2 && !this.composing) {
      this.timer = window.setTimeout(() => void this.ask(false), pause2);
    }
  }
  /** @param {KeyboardEvent} event */
  key(event) {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey && !event.isComposing && event.keyCode !== 229;
    const shown2 = this.text !== "" && this.field.value === this.asked;
    if (shown2 && plain && (event.key === "Tab" || event.key === "Escape")) {
      event.preventDefault();
      event.stopImmediatePropagation();
      const text2 = event.key === "Tab" ? this.text : "";
      this.dismiss();
      if (text2) {
        insert(this.field, text2);
      }
    } else if (!["Shift", "Control", "Alt", "Meta"].includes(event.key)) {
      this.dismiss();
    }
  }
  stop() {
    window.clearTimeout(this.timer);
    this.call?.abort();
    this.call = null;
  }
  dismiss() {
    this.stop();
    this.text = "";
    this.copy?.remove();
    this.copy = null;
  }
  /** @param {boolean} byHand */
  async ask(byHand) {
    this.dismiss();
    const asked = this.field.value;
    const reason = this.refusal(asked);
    if (reason) {
      this.completion.tell(reason, byHand);
      return;
    }
    this.asked = asked;
    const call = this.call = this.completion.begin(this);
    const text2 = await this.completion.ask({ before: tail(asked, BEFORE), after: "", place: "chat" }, call.signal, byHand);
    if (this.call === call) {
      this.call = null;
      if (text2 && this.refusal(this.field.value) === "" && this.field.value === asked) {
        this.show(text2);
      }
    }
  }
  /** @param {string} asked */
  refusal(asked) {
    if (this.composing) {
      return "composing";
    }
    if (this.field.selectionStart !== asked.length || this.field.selectionEnd !== asked.length) {
      return "amid";
    }
    return !asked.trim() || asked.startsWith("/") ? "nothing" : "";
  }
  /** @param {string} text */
  show(text2) {
    const parent = this.field.parentElement;
    if (!parent) {
      return;
    }
    this.text = text2;
    const style = window.getComputedStyle(this.field);
    this.copy = parent.createDiv({ cls: "deepseedian-copy", attr: { "aria-hidden": "true" } });
    this.copy.setCssStyles(Object.fromEntries(COPIED.map((name) => [name, style[name]])));
    this.copy.createSpan({ cls: "deepseedian-under", text: this.field.value });
    this.copy.createSpan({ cls: "deepseedian-ghost", text: text2 });
    this.copy.scrollTo(0, this.field.scrollTop);
  }
};
function insert(field, text2) {
  const typed2 = (
    /** @type {{execCommand?: (name: string, ui: boolean, value: string) => boolean}} */
    /** @type {unknown} */
    field.ownerDocument
  );
  if (!typed2.execCommand?.("insertText", false, text2)) {
    field.setRangeText(text2, field.value.length, field.value.length, "end");
    field.dispatchEvent(new Event("input"));
  }
}

// src/commands.js
var import_obsidian6 = require("obsidian");
var COMMANDS = (
  /** @type {() => [string, string, boolean, string][]} */
  (() => [
    ["remember", say("text", "内容"), true, say("keep this in memory", "记住这句话")],
    ["memory", say("words", "词语"), false, say("open memory, or search it", "打开记忆，或搜索")],
    ["review", "", false, say("open what waits for your decision", "打开待审阅的提议")],
    ["organize", "", false, say("look for what is worth keeping, as proposals", "查找值得记住的内容，作为提议")],
    ["goal", say("text, or clear", "内容，或 clear"), false, say("a goal that goes along with every question of this chat", "此会话每个问题都附带的目标")],
    ["new", "", false, say("a new chat", "新会话")],
    ["help", "", false, say("these commands", "查看命令")]
  ])
);
function typed(text2) {
  const found = /^\/([A-Za-z]+)(?:\s+([\s\S]*))?$/.exec(text2.trim());
  return found ? { name: found[1].toLowerCase(), rest: (found[2] ?? "").trim() } : null;
}
function fault(command) {
  const row = COMMANDS().find(([name]) => name === command.name);
  if (!row) {
    return say("There is no command /{0}. /help lists them.", "没有命令 /{0}，输入 /help 查看。", command.name);
  }
  if (row[2] && !command.rest) {
    return say("/{0} needs text.", "/{0} 后面需要内容。", command.name);
  }
  return !row[1] && command.rest ? say("/{0} takes no text.", "/{0} 后面不需要内容。", command.name) : "";
}
function showHelp(parent) {
  const list2 = parent.createEl("dl", { cls: "deepseedian-help" });
  for (const [name, after, , meaning2] of COMMANDS()) {
    list2.createEl("dt", { text: after ? `/${name} ${after}` : `/${name}` });
    list2.createEl("dd", { text: meaning2 });
  }
}
function showHints(view) {
  const hints = view.hints;
  const word = /^\/([A-Za-z]*)$/.exec(view.composer?.field.value ?? "")?.[1];
  hints?.empty();
  if (!hints || word === void 0) {
    return;
  }
  COMMANDS().filter(([name]) => name.startsWith(word.toLowerCase())).forEach(([name, , , meaning2]) => {
    const button = textButton(hints, `/${name}`, () => {
      view.composer?.write(`/${name} `);
      hints.empty();
    });
    button.createSpan({ cls: "deepseedian-meta", text: meaning2 });
  });
}
async function carryOut(view, command) {
  const client = view.plugin.client;
  if (command.name === "remember") {
    const done = await view.plugin.tried(() => client.change("POST", "/v1/entries", { text: command.rest }));
    if (done) {
      new import_obsidian6.Notice(say("Remembered.", "已记住。"));
    }
    return Boolean(done);
  }
  if (command.name === "organize") {
    new import_obsidian6.Notice(say("Looking for what is worth keeping…", "正在查找值得记住的内容…"));
    const done = await view.plugin.tried(() => client.post("/v1/organize"));
    if (done) {
      new import_obsidian6.Notice(done.proposals.length ? say("{0} proposals wait for you.", "有 {0} 条提议待审阅。", done.proposals.length) : say("Nothing to propose.", "没有可提议的内容。"));
    }
    return Boolean(done);
  }
  if (command.name === "goal") {
    const goal = command.rest.toLowerCase() === "clear" ? "" : command.rest;
    return Boolean(command.rest ? await view.change({ goal }) : (await view.switches(), true));
  }
  if (command.name === "memory") {
    await view.plugin.openMemory({ query: command.rest });
  } else if (command.name === "review") {
    await view.plugin.openReview();
  } else if (command.name === "new") {
    await view.show("");
  } else {
    shown(view.app, say("Commands", "命令"), (content) => showHelp(content));
  }
  return true;
}

// src/composer.js
var import_obsidian8 = require("obsidian");

// src/context.js
var import_obsidian7 = require("obsidian");
var SELECTION = 6e3;
var NEARBY = 1e4;
var AROUND = 6;
var PINNED_AROUND = 12;
var TEXT_BYTES = 102400;
var IMAGE_BYTES = 5242880;
var MOST_ATTACHMENTS = 4;
var TEXTS = "md base canvas txt json csv ts tsx js jsx py css html yaml yml".split(" ");
var IMAGES = ["png", "jpg", "jpeg", "webp", "gif"];
function lastEditor(app) {
  const active = app.workspace.getActiveViewOfType(import_obsidian7.MarkdownView);
  if (active) {
    return active;
  }
  const view = app.workspace.getMostRecentLeaf()?.view;
  return view instanceof import_obsidian7.MarkdownView ? view : null;
}
function noteContext(app, wanted) {
  const view = lastEditor(app);
  const path2 = view?.file?.path ?? app.workspace.getActiveFile()?.path ?? "";
  if (!path2) {
    return null;
  }
  const found = { path: path2, selection: "", nearby: "", heading: "", startLine: 0, endLine: 0, pinned: wanted.pinned ?? false };
  return view && path2.endsWith(".md") ? around(view.editor, found, wanted.selection) : found;
}
function around(editor, found, selected) {
  const from = editor.getCursor("from").line;
  const to = editor.getCursor("to").line;
  const selection = selected ? editor.getSelection().slice(0, SELECTION) : "";
  const lines = found.pinned ? PINNED_AROUND : AROUND;
  const first = Math.max(0, from - lines);
  const last = Math.min(editor.lineCount() - 1, (selection ? to : from) + lines);
  const nearby = [];
  for (let line = first; line <= last; line++) {
    nearby.push(editor.getLine(line));
  }
  let heading2 = "";
  for (let line = from; line >= 0 && !heading2; line--) {
    heading2 = /^#{1,6}\s+(.*?)\s*#*$/.exec(editor.getLine(line))?.[1] ?? "";
  }
  return {
    ...found,
    selection,
    nearby: nearby.join("\n").slice(0, NEARBY),
    heading: heading2.slice(0, 500),
    startLine: selection ? from + 1 : 0,
    endLine: selection ? to + 1 : 0
  };
}
function sentContext(context) {
  return context ? Object.fromEntries(Object.entries(context).filter(([, value]) => value)) : {};
}
function selectedLines(app) {
  const editor = lastEditor(app)?.editor;
  return editor && editor.getSelection() ? editor.getCursor("to").line - editor.getCursor("from").line + 1 : 0;
}
async function fileAttachment(file) {
  const kind = file.name.split(".").pop()?.toLowerCase() ?? "";
  const image2 = IMAGES.includes(kind);
  if (!image2 && !TEXTS.includes(kind)) {
    throw new Error(say("{0}: this kind of file is not taken.", "{0}：不支持这种文件。", file.name));
  }
  const limit = image2 ? IMAGE_BYTES : TEXT_BYTES;
  if (file.size > limit) {
    throw new Error(say("{0} is larger than {1} KB.", "{0} 超过 {1} KB。", file.name, Math.floor(limit / 1024)));
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (image2) {
    let binary = "";
    for (let at = 0; at < bytes.length; at += 8192) {
      binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
    }
    return { name: file.name, data: window.btoa(binary) };
  }
  try {
    return { name: file.name, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    throw new Error(say("{0} is not UTF-8 text.", "{0} 不是 UTF-8 文本。", file.name));
  }
}
function draggedPaths(text2, app) {
  const found = [];
  for (const line of text2.split("\n")) {
    const file = /^obsidian:\/\/open\?.*?file=([^&\s]+)/.exec(line)?.[1];
    const link3 = /^!?\[\[([^\]|#]+)/.exec(line)?.[1];
    const wanted = file ? decodeURIComponent(file) : link3;
    const note = wanted ? app.metadataCache.getFirstLinkpathDest(wanted, "") : null;
    if (note) {
      found.push(note.path);
    }
  }
  return found;
}

// src/composer.js
var KEEP_MS = 350;
var ENTRY_TYPE = "application/x-deepseedian-entry";
var Composer = class {
  /** @param {HTMLElement} parent @param {import("./main.js").default} plugin @param {Host} host */
  constructor(parent, plugin, host) {
    this.plugin = plugin;
    this.host = host;
    this.note = true;
    this.selection = true;
    this.pinned = null;
    this.attachments = [];
    this.busy = false;
    this.keeping = 0;
    this.shown = "";
    this.el = parent.createDiv({ cls: "deepseedian-composer" });
    this.chips = this.el.createDiv({ cls: "deepseedian-chips" });
    this.field = this.el.createDiv({ cls: "deepseedian-field" }).createEl("textarea", { attr: {
      rows: "3",
      "aria-label": say("Your question", "你的问题"),
      placeholder: say("Ask, or type / for commands", "提问，或输入 / 查看命令")
    } });
    this.buttons = this.el.createDiv({ cls: "deepseedian-buttons" });
    this.drawButtons();
    this.field.oninput = () => this.changed();
    this.field.onkeydown = (event) => this.key(event);
    this.el.ondragover = (event) => event.preventDefault();
    this.el.ondrop = (event) => void this.drop(event);
    this.drawChips();
  }
  drawButtons() {
    const picker = this.buttons.createEl("input", { type: "file", cls: "deepseedian-hidden", attr: { multiple: "", "aria-label": say("Attach files", "添加文件") } });
    picker.onchange = () => {
      void this.attachFiles([...picker.files ?? []]);
      picker.value = "";
    };
    iconButton(this.buttons, "paperclip", say("Attach files", "添加文件"), () => picker.click());
    iconButton(this.buttons, "file-text", say("Attach the current note again", "重新附上当前笔记"), () => {
      this.note = this.selection = true;
      this.drawChips();
    });
    this.buttons.createDiv({ cls: "deepseedian-space" });
    this.button = this.buttons.createEl("button", { cls: "mod-cta", text: say("Send", "发送"), attr: { type: "button" } });
    this.button.onclick = () => this.busy ? void this.host.stop() : this.send();
  }
  /** @param {boolean} busy */
  setBusy(busy) {
    this.busy = busy;
    this.button?.setText(busy ? say("Stop", "停止") : say("Send", "发送"));
    this.button?.toggleClass("mod-warning", busy);
  }
  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.isComposing || event.keyCode === 229) {
      return;
    }
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      if (!this.busy) {
        this.send();
      }
    } else if (event.key === "Escape" && this.busy) {
      event.preventDefault();
      void this.host.stop();
    }
  }
  changed() {
    window.clearTimeout(this.keeping);
    this.keeping = window.setTimeout(() => this.keep(), KEEP_MS);
  }
  keep() {
    window.clearTimeout(this.keeping);
    this.host.keep({ text: this.field.value, pinned: this.pinned });
  }
  /** @returns {Question} */
  question() {
    const context = this.pinned ?? (this.note ? noteContext(this.plugin.app, { selection: this.selection }) : null);
    return { text: this.field.value.trim(), context: sentContext(context), attachments: [...this.attachments], pinned: this.pinned };
  }
  send() {
    const question = this.question();
    if (question.text) {
      this.clear();
      void this.host.send(question);
    }
  }
  clear() {
    this.field.value = "";
    this.attachments = [];
    this.pinned = null;
    this.drawChips();
    this.keep();
  }
  /** A question that could not be asked comes back. @param {Question} question */
  giveBack(question) {
    if (!this.field.value) {
      this.field.value = question.text;
    }
    this.pinned = this.pinned ?? question.pinned;
    this.attachments = [...question.attachments, ...this.attachments].slice(0, MOST_ATTACHMENTS);
    this.drawChips();
    this.keep();
  }
  /** @param {string} text */
  write(text2) {
    this.field.value = text2;
    this.field.focus();
    this.changed();
  }
  /** @param {import("./drafts.js").Draft} draft */
  load(draft) {
    this.field.value = draft.text;
    this.pinned = draft.pinned;
    this.attachments = [];
    this.drawChips();
  }
  /** Keep the selection as it is now for the next question. */
  pin() {
    this.pinned = noteContext(this.plugin.app, { selection: true, pinned: true });
    this.drawChips();
    this.keep();
  }
  drawChips() {
    const current = this.plugin.app.workspace.getActiveFile();
    const lines = this.note && this.selection ? selectedLines(this.plugin.app) : 0;
    const shown2 = JSON.stringify([this.pinned, this.note, current?.path, lines, this.attachments.map((item) => item.name)]);
    if (shown2 === this.shown) {
      return;
    }
    this.shown = shown2;
    this.chips.empty();
    if (this.pinned) {
      this.chip("pin", say("{0}, lines {1}–{2}", "{0}，第 {1}–{2} 行", this.pinned.path, this.pinned.startLine, this.pinned.endLine), () => {
        this.pinned = null;
        this.keep();
      });
    } else if (this.note && current) {
      this.chip("file-text", current.path, () => {
        this.note = false;
      });
      if (lines) {
        this.chip("text-select", say("Selection: {0} lines", "选中 {0} 行", lines), () => {
          this.selection = false;
        });
      }
    }
    this.attachments.forEach((item) => this.chip("paperclip", item.name, () => {
      this.attachments = this.attachments.filter((other) => other !== item);
    }));
  }
  /** @param {string} icon @param {string} text @param {() => void} remove */
  chip(icon, text2, remove) {
    const chip = this.chips.createDiv({ cls: "deepseedian-chip", attr: { "data-kind": icon } });
    chip.createSpan({ text: text2, attr: { title: text2 } });
    iconButton(chip, "x", say("Leave out {0}", "不附上 {0}", text2), () => {
      remove();
      this.drawChips();
    });
  }
  /** @param {Attachment} item */
  attach(item) {
    if (this.attachments.length >= MOST_ATTACHMENTS) {
      new import_obsidian8.Notice(say("A question may bring {0} files.", "一个问题最多附 {0} 个文件。", MOST_ATTACHMENTS));
      return;
    }
    if (!this.attachments.some((other) => other.name === item.name)) {
      this.attachments.push(item);
    }
    this.drawChips();
  }
  /** @param {File[]} files */
  async attachFiles(files2) {
    for (const file of files2) {
      try {
        this.attach(await fileAttachment(file));
      } catch (error2) {
        new import_obsidian8.Notice(error2 instanceof Error ? error2.message : String(error2));
      }
    }
  }
  /** @param {DragEvent} event */
  async drop(event) {
    const data = event.dataTransfer;
    if (!data) {
      return;
    }
    event.preventDefault();
    const entry = data.getData(ENTRY_TYPE);
    if (entry) {
      const found = (
        /** @type {{id: string, text: string}} */
        JSON.parse(entry)
      );
      this.attach({ name: `memory-${found.id.slice(0, 8)}.md`, text: found.text });
      return;
    }
    await this.attachFiles([...data.files]);
    draggedPaths(data.getData("text/plain"), this.plugin.app).forEach((path2) => this.attach({ name: path2, path: path2 }));
  }
};

// markdown-it/lib/common/utils.mjs
var utils_exports = {};
__export(utils_exports, {
  arrayReplaceAt: () => arrayReplaceAt,
  asciiTrim: () => asciiTrim,
  assign: () => assign,
  escapeHtml: () => escapeHtml,
  escapeRE: () => escapeRE,
  fromCodePoint: () => fromCodePoint2,
  has: () => has,
  isMdAsciiPunct: () => isMdAsciiPunct,
  isPunctChar: () => isPunctChar,
  isPunctCharCode: () => isPunctCharCode,
  isSpace: () => isSpace,
  isString: () => isString,
  isValidEntityCode: () => isValidEntityCode,
  isWhiteSpace: () => isWhiteSpace,
  lib: () => lib,
  normalizeReference: () => normalizeReference,
  unescapeAll: () => unescapeAll,
  unescapeMd: () => unescapeMd
});

// mdurl/index.mjs
var mdurl_exports = {};
__export(mdurl_exports, {
  decode: () => decode_default,
  encode: () => encode_default,
  format: () => format,
  parse: () => parse_default
});

// mdurl/lib/decode.mjs
var decodeCache = {};
function getDecodeCache(exclude) {
  let cache = decodeCache[exclude];
  if (cache) {
    return cache;
  }
  cache = decodeCache[exclude] = [];
  for (let i = 0; i < 128; i++) {
    const ch = String.fromCharCode(i);
    cache.push(ch);
  }
  for (let i = 0; i < exclude.length; i++) {
    const ch = exclude.charCodeAt(i);
    cache[ch] = "%" + ("0" + ch.toString(16).toUpperCase()).slice(-2);
  }
  return cache;
}
function decode(string, exclude) {
  if (typeof exclude !== "string") {
    exclude = decode.defaultChars;
  }
  const cache = getDecodeCache(exclude);
  return string.replace(/(%[a-f0-9]{2})+/gi, function(seq) {
    let result = "";
    for (let i = 0, l = seq.length; i < l; i += 3) {
      const b1 = parseInt(seq.slice(i + 1, i + 3), 16);
      if (b1 < 128) {
        result += cache[b1];
        continue;
      }
      if ((b1 & 224) === 192 && i + 3 < l) {
        const b2 = parseInt(seq.slice(i + 4, i + 6), 16);
        if ((b2 & 192) === 128) {
          const chr = b1 << 6 & 1984 | b2 & 63;
          if (chr < 128) {
            result += "��";
          } else {
            result += String.fromCharCode(chr);
          }
          i += 3;
          continue;
        }
      }
      if ((b1 & 240) === 224 && i + 6 < l) {
        const b2 = parseInt(seq.slice(i + 4, i + 6), 16);
        const b3 = parseInt(seq.slice(i + 7, i + 9), 16);
        if ((b2 & 192) === 128 && (b3 & 192) === 128) {
          const chr = b1 << 12 & 61440 | b2 << 6 & 4032 | b3 & 63;
          if (chr < 2048 || chr >= 55296 && chr <= 57343) {
            result += "���";
          } else {
            result += String.fromCharCode(chr);
          }
          i += 6;
          continue;
        }
      }
      if ((b1 & 248) === 240 && i + 9 < l) {
        const b2 = parseInt(seq.slice(i + 4, i + 6), 16);
        const b3 = parseInt(seq.slice(i + 7, i + 9), 16);
        const b4 = parseInt(seq.slice(i + 10, i + 12), 16);
        if ((b2 & 192) === 128 && (b3 & 192) === 128 && (b4 & 192) === 128) {
          let chr = b1 << 18 & 1835008 | b2 << 12 & 258048 | b3 << 6 & 4032 | b4 & 63;
          if (chr < 65536 || chr > 1114111) {
            result += "����";
          } else {
            chr -= 65536;
            result += String.fromCharCode(55296 + (chr >> 10), 56320 + (chr & 1023));
          }
          i += 9;
          continue;
        }
      }
      result += "�";
    }
    return result;
  });
}
decode.defaultChars = ";/?:@&=+$,#";
decode.componentChars = "";
var decode_default = decode;

// mdurl/lib/encode.mjs
var encodeCache = {};
function getEncodeCache(exclude) {
  let cache = encodeCache[exclude];
  if (cache) {
    return cache;
  }
  cache = encodeCache[exclude] = [];
  for (let i = 0; i < 128; i++) {
    const ch = String.fromCharCode(i);
    if (/^[0-9a-z]$/i.test(ch)) {
      cache.push(ch);
    } else {
      cache.push("%" + ("0" + i.toString(16).toUpperCase()).slice(-2));
    }
  }
  for (let i = 0; i < exclude.length; i++) {
    cache[exclude.charCodeAt(i)] = exclude[i];
  }
  return cache;
}
function encode(string, exclude, keepEscaped) {
  if (typeof exclude !== "string") {
    keepEscaped = exclude;
    exclude = encode.defaultChars;
  }
  if (typeof keepEscaped === "undefined") {
    keepEscaped = true;
  }
  const cache = getEncodeCache(exclude);
  let result = "";
  for (let i = 0, l = string.length; i < l; i++) {
    const code2 = string.charCodeAt(i);
    if (keepEscaped && code2 === 37 && i + 2 < l) {
      if (/^[0-9a-f]{2}$/i.test(string.slice(i + 1, i + 3))) {
        result += string.slice(i, i + 3);
        i += 2;
        continue;
      }
    }
    if (code2 < 128) {
      result += cache[code2];
      continue;
    }
    if (code2 >= 55296 && code2 <= 57343) {
      if (code2 >= 55296 && code2 <= 56319 && i + 1 < l) {
        const nextCode = string.charCodeAt(i + 1);
        if (nextCode >= 56320 && nextCode <= 57343) {
          result += encodeURIComponent(string[i] + string[i + 1]);
          i++;
          continue;
        }
      }
      result += "%EF%BF%BD";
      continue;
    }
    result += encodeURIComponent(string[i]);
  }
  return result;
}
encode.defaultChars = ";/?:@&=+$,-_.!~*'()#";
encode.componentChars = "-_.!~*'()";
var encode_default = encode;

// mdurl/lib/format.mjs
function format(url) {
  let result = "";
  result += url.protocol || "";
  result += url.slashes ? "//" : "";
  result += url.auth ? url.auth + "@" : "";
  if (url.hostname && url.hostname.indexOf(":") !== -1) {
    result += "[" + url.hostname + "]";
  } else {
    result += url.hostname || "";
  }
  result += url.port ? ":" + url.port : "";
  result += url.pathname || "";
  result += url.search || "";
  result += url.hash || "";
  return result;
}

// mdurl/lib/parse.mjs
function Url() {
  this.protocol = null;
  this.slashes = null;
  this.auth = null;
  this.port = null;
  this.hostname = null;
  this.hash = null;
  this.search = null;
  this.pathname = null;
}
var protocolPattern = /^([a-z0-9.+-]+:)/i;
var portPattern = /:[0-9]*$/;
var simplePathPattern = /^(\/\/?(?!\/)[^\?\s]*)(\?[^\s]*)?$/;
var delims = ["<", ">", '"', "`", " ", "\r", "\n", "	"];
var unwise = ["{", "}", "|", "\\", "^", "`"].concat(delims);
var autoEscape = ["'"].concat(unwise);
var nonHostChars = ["%", "/", "?", ";", "#"].concat(autoEscape);
var hostEndingChars = ["/", "?", "#"];
var hostnameMaxLen = 255;
var hostnamePartPattern = /^[+a-z0-9A-Z_-]{0,63}$/;
var hostnamePartStart = /^([+a-z0-9A-Z_-]{0,63})(.*)$/;
var hostlessProtocol = {
  javascript: true,
  "javascript:": true
};
var slashedProtocol = {
  http: true,
  https: true,
  ftp: true,
  gopher: true,
  file: true,
  "http:": true,
  "https:": true,
  "ftp:": true,
  "gopher:": true,
  "file:": true
};
function urlParse(url, slashesDenoteHost) {
  if (url && url instanceof Url) return url;
  const u = new Url();
  u.parse(url, slashesDenoteHost);
  return u;
}
Url.prototype.parse = function(url, slashesDenoteHost) {
  let lowerProto, hec, slashes;
  let rest = url;
  rest = rest.trim();
  if (!slashesDenoteHost && url.split("#").length === 1) {
    const simplePath = simplePathPattern.exec(rest);
    if (simplePath) {
      this.pathname = simplePath[1];
      if (simplePath[2]) {
        this.search = simplePath[2];
      }
      return this;
    }
  }
  let proto = protocolPattern.exec(rest);
  if (proto) {
    proto = proto[0];
    lowerProto = proto.toLowerCase();
    this.protocol = proto;
    rest = rest.substr(proto.length);
  }
  if (slashesDenoteHost || proto || rest.match(/^\/\/[^@\/]+@[^@\/]+/)) {
    slashes = rest.substr(0, 2) === "//";
    if (slashes && !(proto && hostlessProtocol[proto])) {
      rest = rest.substr(2);
      this.slashes = true;
    }
  }
  if (!hostlessProtocol[proto] && (slashes || proto && !slashedProtocol[proto])) {
    let hostEnd = -1;
    for (let i = 0; i < hostEndingChars.length; i++) {
      hec = rest.indexOf(hostEndingChars[i]);
      if (hec !== -1 && (hostEnd === -1 || hec < hostEnd)) {
        hostEnd = hec;
      }
    }
    let auth, atSign;
    if (hostEnd === -1) {
      atSign = rest.lastIndexOf("@");
    } else {
      atSign = rest.lastIndexOf("@", hostEnd);
    }
    if (atSign !== -1) {
      auth = rest.slice(0, atSign);
      rest = rest.slice(atSign + 1);
      this.auth = auth;
    }
    hostEnd = -1;
    for (let i = 0; i < nonHostChars.length; i++) {
      hec = rest.indexOf(nonHostChars[i]);
      if (hec !== -1 && (hostEnd === -1 || hec < hostEnd)) {
        hostEnd = hec;
      }
    }
    if (hostEnd === -1) {
      hostEnd = rest.length;
    }
    if (rest[hostEnd - 1] === ":") {
      hostEnd--;
    }
    const host = rest.slice(0, hostEnd);
    rest = rest.slice(hostEnd);
    this.parseHost(host);
    this.hostname = this.hostname || "";
    const ipv6Hostname = this.hostname[0] === "[" && this.hostname[this.hostname.length - 1] === "]";
    if (!ipv6Hostname) {
      const hostparts = this.hostname.split(/\./);
      for (let i = 0, l = hostparts.length; i < l; i++) {
        const part = hostparts[i];
        if (!part) {
          continue;
        }
        if (!part.match(hostnamePartPattern)) {
          let newpart = "";
          for (let j = 0, k = part.length; j < k; j++) {
            if (part.charCodeAt(j) > 127) {
              newpart += "x";
            } else {
              newpart += part[j];
            }
          }
          if (!newpart.match(hostnamePartPattern)) {
            const validParts = hostparts.slice(0, i);
            const notHost = hostparts.slice(i + 1);
            const bit = part.match(hostnamePartStart);
            if (bit) {
              validParts.push(bit[1]);
              notHost.unshift(bit[2]);
            }
            if (notHost.length) {
              rest = notHost.join(".") + rest;
            }
            this.hostname = validParts.join(".");
            break;
          }
        }
      }
    }
    if (this.hostname.length > hostnameMaxLen) {
      this.hostname = "";
    }
    if (ipv6Hostname) {
      this.hostname = this.hostname.substr(1, this.hostname.length - 2);
    }
  }
  const hash = rest.indexOf("#");
  if (hash !== -1) {
    this.hash = rest.substr(hash);
    rest = rest.slice(0, hash);
  }
  const qm = rest.indexOf("?");
  if (qm !== -1) {
    this.search = rest.substr(qm);
    rest = rest.slice(0, qm);
  }
  if (rest) {
    this.pathname = rest;
  }
  if (slashedProtocol[lowerProto] && this.hostname && !this.pathname) {
    this.pathname = "";
  }
  return this;
};
Url.prototype.parseHost = function(host) {
  let port = portPattern.exec(host);
  if (port) {
    port = port[0];
    if (port !== ":") {
      this.port = port.substr(1);
    }
    host = host.substr(0, host.length - port.length);
  }
  if (host) {
    this.hostname = host;
  }
};
var parse_default = urlParse;

// uc.micro/index.mjs
var uc_exports = {};
__export(uc_exports, {
  Any: () => regex_default,
  Cc: () => regex_default2,
  Cf: () => regex_default3,
  P: () => regex_default4,
  S: () => regex_default5,
  Z: () => regex_default6
});

// uc.micro/properties/Any/regex.mjs
var regex_default = /[\0-\uD7FF\uE000-\uFFFF]|[\uD800-\uDBFF][\uDC00-\uDFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?:[^\uD800-\uDBFF]|^)[\uDC00-\uDFFF]/;

// uc.micro/categories/Cc/regex.mjs
var regex_default2 = /[\0-\x1F\x7F-\x9F]/;

// uc.micro/categories/Cf/regex.mjs
var regex_default3 = /[\xAD\u0600-\u0605\u061C\u06DD\u070F\u0890\u0891\u08E2\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\uFFF9-\uFFFB]|\uD804[\uDCBD\uDCCD]|\uD80D[\uDC30-\uDC3F]|\uD82F[\uDCA0-\uDCA3]|\uD834[\uDD73-\uDD7A]|\uDB40[\uDC01\uDC20-\uDC7F]/;

// uc.micro/categories/P/regex.mjs
var regex_default4 = /[!-#%-\*,-\/:;\?@\[-\]_\{\}\xA1\xA7\xAB\xB6\xB7\xBB\xBF\u037E\u0387\u055A-\u055F\u0589\u058A\u05BE\u05C0\u05C3\u05C6\u05F3\u05F4\u0609\u060A\u060C\u060D\u061B\u061D-\u061F\u066A-\u066D\u06D4\u0700-\u070D\u07F7-\u07F9\u0830-\u083E\u085E\u0964\u0965\u0970\u09FD\u0A76\u0AF0\u0C77\u0C84\u0DF4\u0E4F\u0E5A\u0E5B\u0F04-\u0F12\u0F14\u0F3A-\u0F3D\u0F85\u0FD0-\u0FD4\u0FD9\u0FDA\u104A-\u104F\u10FB\u1360-\u1368\u1400\u166E\u169B\u169C\u16EB-\u16ED\u1735\u1736\u17D4-\u17D6\u17D8-\u17DA\u1800-\u180A\u1944\u1945\u1A1E\u1A1F\u1AA0-\u1AA6\u1AA8-\u1AAD\u1B5A-\u1B60\u1B7D\u1B7E\u1BFC-\u1BFF\u1C3B-\u1C3F\u1C7E\u1C7F\u1CC0-\u1CC7\u1CD3\u2010-\u2027\u2030-\u2043\u2045-\u2051\u2053-\u205E\u207D\u207E\u208D\u208E\u2308-\u230B\u2329\u232A\u2768-\u2775\u27C5\u27C6\u27E6-\u27EF\u2983-\u2998\u29D8-\u29DB\u29FC\u29FD\u2CF9-\u2CFC\u2CFE\u2CFF\u2D70\u2E00-\u2E2E\u2E30-\u2E4F\u2E52-\u2E5D\u3001-\u3003\u3008-\u3011\u3014-\u301F\u3030\u303D\u30A0\u30FB\uA4FE\uA4FF\uA60D-\uA60F\uA673\uA67E\uA6F2-\uA6F7\uA874-\uA877\uA8CE\uA8CF\uA8F8-\uA8FA\uA8FC\uA92E\uA92F\uA95F\uA9C1-\uA9CD\uA9DE\uA9DF\uAA5C-\uAA5F\uAADE\uAADF\uAAF0\uAAF1\uABEB\uFD3E\uFD3F\uFE10-\uFE19\uFE30-\uFE52\uFE54-\uFE61\uFE63\uFE68\uFE6A\uFE6B\uFF01-\uFF03\uFF05-\uFF0A\uFF0C-\uFF0F\uFF1A\uFF1B\uFF1F\uFF20\uFF3B-\uFF3D\uFF3F\uFF5B\uFF5D\uFF5F-\uFF65]|\uD800[\uDD00-\uDD02\uDF9F\uDFD0]|\uD801\uDD6F|\uD802[\uDC57\uDD1F\uDD3F\uDE50-\uDE58\uDE7F\uDEF0-\uDEF6\uDF39-\uDF3F\uDF99-\uDF9C]|\uD803[\uDEAD\uDF55-\uDF59\uDF86-\uDF89]|\uD804[\uDC47-\uDC4D\uDCBB\uDCBC\uDCBE-\uDCC1\uDD40-\uDD43\uDD74\uDD75\uDDC5-\uDDC8\uDDCD\uDDDB\uDDDD-\uDDDF\uDE38-\uDE3D\uDEA9]|\uD805[\uDC4B-\uDC4F\uDC5A\uDC5B\uDC5D\uDCC6\uDDC1-\uDDD7\uDE41-\uDE43\uDE60-\uDE6C\uDEB9\uDF3C-\uDF3E]|\uD806[\uDC3B\uDD44-\uDD46\uDDE2\uDE3F-\uDE46\uDE9A-\uDE9C\uDE9E-\uDEA2\uDF00-\uDF09]|\uD807[\uDC41-\uDC45\uDC70\uDC71\uDEF7\uDEF8\uDF43-\uDF4F\uDFFF]|\uD809[\uDC70-\uDC74]|\uD80B[\uDFF1\uDFF2]|\uD81A[\uDE6E\uDE6F\uDEF5\uDF37-\uDF3B\uDF44]|\uD81B[\uDE97-\uDE9A\uDFE2]|\uD82F\uDC9F|\uD836[\uDE87-\uDE8B]|\uD83A[\uDD5E\uDD5F]/;

// uc.micro/categories/S/regex.mjs
var regex_default5 = /[\$\+<->\^`\|~\xA2-\xA6\xA8\xA9\xAC\xAE-\xB1\xB4\xB8\xD7\xF7\u02C2-\u02C5\u02D2-\u02DF\u02E5-\u02EB\u02ED\u02EF-\u02FF\u0375\u0384\u0385\u03F6\u0482\u058D-\u058F\u0606-\u0608\u060B\u060E\u060F\u06DE\u06E9\u06FD\u06FE\u07F6\u07FE\u07FF\u0888\u09F2\u09F3\u09FA\u09FB\u0AF1\u0B70\u0BF3-\u0BFA\u0C7F\u0D4F\u0D79\u0E3F\u0F01-\u0F03\u0F13\u0F15-\u0F17\u0F1A-\u0F1F\u0F34\u0F36\u0F38\u0FBE-\u0FC5\u0FC7-\u0FCC\u0FCE\u0FCF\u0FD5-\u0FD8\u109E\u109F\u1390-\u1399\u166D\u17DB\u1940\u19DE-\u19FF\u1B61-\u1B6A\u1B74-\u1B7C\u1FBD\u1FBF-\u1FC1\u1FCD-\u1FCF\u1FDD-\u1FDF\u1FED-\u1FEF\u1FFD\u1FFE\u2044\u2052\u207A-\u207C\u208A-\u208C\u20A0-\u20C0\u2100\u2101\u2103-\u2106\u2108\u2109\u2114\u2116-\u2118\u211E-\u2123\u2125\u2127\u2129\u212E\u213A\u213B\u2140-\u2144\u214A-\u214D\u214F\u218A\u218B\u2190-\u2307\u230C-\u2328\u232B-\u2426\u2440-\u244A\u249C-\u24E9\u2500-\u2767\u2794-\u27C4\u27C7-\u27E5\u27F0-\u2982\u2999-\u29D7\u29DC-\u29FB\u29FE-\u2B73\u2B76-\u2B95\u2B97-\u2BFF\u2CE5-\u2CEA\u2E50\u2E51\u2E80-\u2E99\u2E9B-\u2EF3\u2F00-\u2FD5\u2FF0-\u2FFF\u3004\u3012\u3013\u3020\u3036\u3037\u303E\u303F\u309B\u309C\u3190\u3191\u3196-\u319F\u31C0-\u31E3\u31EF\u3200-\u321E\u322A-\u3247\u3250\u3260-\u327F\u328A-\u32B0\u32C0-\u33FF\u4DC0-\u4DFF\uA490-\uA4C6\uA700-\uA716\uA720\uA721\uA789\uA78A\uA828-\uA82B\uA836-\uA839\uAA77-\uAA79\uAB5B\uAB6A\uAB6B\uFB29\uFBB2-\uFBC2\uFD40-\uFD4F\uFDCF\uFDFC-\uFDFF\uFE62\uFE64-\uFE66\uFE69\uFF04\uFF0B\uFF1C-\uFF1E\uFF3E\uFF40\uFF5C\uFF5E\uFFE0-\uFFE6\uFFE8-\uFFEE\uFFFC\uFFFD]|\uD800[\uDD37-\uDD3F\uDD79-\uDD89\uDD8C-\uDD8E\uDD90-\uDD9C\uDDA0\uDDD0-\uDDFC]|\uD802[\uDC77\uDC78\uDEC8]|\uD805\uDF3F|\uD807[\uDFD5-\uDFF1]|\uD81A[\uDF3C-\uDF3F\uDF45]|\uD82F\uDC9C|\uD833[\uDF50-\uDFC3]|\uD834[\uDC00-\uDCF5\uDD00-\uDD26\uDD29-\uDD64\uDD6A-\uDD6C\uDD83\uDD84\uDD8C-\uDDA9\uDDAE-\uDDEA\uDE00-\uDE41\uDE45\uDF00-\uDF56]|\uD835[\uDEC1\uDEDB\uDEFB\uDF15\uDF35\uDF4F\uDF6F\uDF89\uDFA9\uDFC3]|\uD836[\uDC00-\uDDFF\uDE37-\uDE3A\uDE6D-\uDE74\uDE76-\uDE83\uDE85\uDE86]|\uD838[\uDD4F\uDEFF]|\uD83B[\uDCAC\uDCB0\uDD2E\uDEF0\uDEF1]|\uD83C[\uDC00-\uDC2B\uDC30-\uDC93\uDCA0-\uDCAE\uDCB1-\uDCBF\uDCC1-\uDCCF\uDCD1-\uDCF5\uDD0D-\uDDAD\uDDE6-\uDE02\uDE10-\uDE3B\uDE40-\uDE48\uDE50\uDE51\uDE60-\uDE65\uDF00-\uDFFF]|\uD83D[\uDC00-\uDED7\uDEDC-\uDEEC\uDEF0-\uDEFC\uDF00-\uDF76\uDF7B-\uDFD9\uDFE0-\uDFEB\uDFF0]|\uD83E[\uDC00-\uDC0B\uDC10-\uDC47\uDC50-\uDC59\uDC60-\uDC87\uDC90-\uDCAD\uDCB0\uDCB1\uDD00-\uDE53\uDE60-\uDE6D\uDE70-\uDE7C\uDE80-\uDE88\uDE90-\uDEBD\uDEBF-\uDEC5\uDECE-\uDEDB\uDEE0-\uDEE8\uDEF0-\uDEF8\uDF00-\uDF92\uDF94-\uDFCA]/;

// uc.micro/categories/Z/regex.mjs
var regex_default6 = /[ \xA0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]/;

// entities/lib/esm/generated/decode-data-html.js
var decode_data_html_default = new Uint16Array(
  // prettier-ignore
  'ᵁ<Õıʊҝջאٵ۞ޢߖࠏ੊ઑඡ๭༉༦჊ረዡᐕᒝᓃᓟᔥ\0\0\0\0\0\0ᕫᛍᦍᰒᷝ὾⁠↰⊍⏀⏻⑂⠤⤒ⴈ⹈⿎〖㊺㘹㞬㣾㨨㩱㫠㬮ࠀEMabcfglmnoprstu\\bfms¦³¹ÈÏlig耻Æ䃆P耻&䀦cute耻Á䃁reve;䄂Āiyx}rc耻Â䃂;䐐r;쀀𝔄rave耻À䃀pha;䎑acr;䄀d;橓Āgp¡on;䄄f;쀀𝔸plyFunction;恡ing耻Å䃅Ācs¾Ãr;쀀𝒜ign;扔ilde耻Ã䃃ml耻Ä䃄ЀaceforsuåûþėĜĢħĪĀcrêòkslash;或Ŷöø;櫧ed;挆y;䐑ƀcrtąċĔause;戵noullis;愬a;䎒r;쀀𝔅pf;쀀𝔹eve;䋘còēmpeq;扎܀HOacdefhilorsuōőŖƀƞƢƵƷƺǜȕɳɸɾcy;䐧PY耻©䂩ƀcpyŝŢźute;䄆Ā;iŧŨ拒talDifferentialD;慅leys;愭ȀaeioƉƎƔƘron;䄌dil耻Ç䃇rc;䄈nint;戰ot;䄊ĀdnƧƭilla;䂸terDot;䂷òſi;䎧rcleȀDMPTǇǋǑǖot;抙inus;抖lus;投imes;抗oĀcsǢǸkwiseContourIntegral;戲eCurlyĀDQȃȏoubleQuote;思uote;怙ȀlnpuȞȨɇɕonĀ;eȥȦ户;橴ƀgitȯȶȺruent;扡nt;戯ourIntegral;戮ĀfrɌɎ;愂oduct;成nterClockwiseContourIntegral;戳oss;樯cr;쀀𝒞pĀ;Cʄʅ拓ap;才րDJSZacefiosʠʬʰʴʸˋ˗ˡ˦̳ҍĀ;oŹʥtrahd;椑cy;䐂cy;䐅cy;䐏ƀgrsʿ˄ˇger;怡r;憡hv;櫤Āayː˕ron;䄎;䐔lĀ;t˝˞戇a;䎔r;쀀𝔇Āaf˫̧Ācm˰̢riticalȀADGT̖̜̀̆cute;䂴oŴ̋̍;䋙bleAcute;䋝rave;䁠ilde;䋜ond;拄ferentialD;慆Ѱ̽\0\0\0͔͂\0Ѕf;쀀𝔻ƀ;DE͈͉͍䂨ot;惜qual;扐blèCDLRUVͣͲ΂ϏϢϸontourIntegraìȹoɴ͹\0\0ͻ»͉nArrow;懓Āeo·ΤftƀARTΐΖΡrrow;懐ightArrow;懔eåˊngĀLRΫτeftĀARγιrrow;柸ightArrow;柺ightArrow;柹ightĀATϘϞrrow;懒ee;抨pɁϩ\0\0ϯrrow;懑ownArrow;懕erticalBar;戥ǹABLRTaВЪаўѿͼrrowƀ;BUНОТ憓ar;椓pArrow;懵reve;䌑eft˒к\0ц\0ѐightVector;楐eeVector;楞ectorĀ;Bљњ憽ar;楖ightǔѧ\0ѱeeVector;楟ectorĀ;BѺѻ懁ar;楗eeĀ;A҆҇护rrow;憧ĀctҒҗr;쀀𝒟rok;䄐ࠀNTacdfglmopqstuxҽӀӄӋӞӢӧӮӵԡԯԶՒ՝ՠեG;䅊H耻Ð䃐cute耻É䃉ƀaiyӒӗӜron;䄚rc耻Ê䃊;䐭ot;䄖r;쀀𝔈rave耻È䃈ement;戈ĀapӺӾcr;䄒tyɓԆ\0\0ԒmallSquare;旻erySmallSquare;斫ĀgpԦԪon;䄘f;쀀𝔼silon;䎕uĀaiԼՉlĀ;TՂՃ橵ilde;扂librium;懌Āci՗՚r;愰m;橳a;䎗ml耻Ë䃋Āipժկsts;戃onentialE;慇ʀcfiosօֈ֍ֲ׌y;䐤r;쀀𝔉lledɓ֗\0\0֣mallSquare;旼erySmallSquare;斪Ͱֺ\0ֿ\0\0ׄf;쀀𝔽All;戀riertrf;愱cò׋؀JTabcdfgorstר׬ׯ׺؀ؒؖ؛؝أ٬ٲcy;䐃耻>䀾mmaĀ;d׷׸䎓;䏜reve;䄞ƀeiy؇،ؐdil;䄢rc;䄜;䐓ot;䄠r;쀀𝔊;拙pf;쀀𝔾eater̀EFGLSTصلَٖٛ٦qualĀ;Lؾؿ扥ess;招ullEqual;执reater;檢ess;扷lantEqual;橾ilde;扳cr;쀀𝒢;扫ЀAacfiosuڅڋږڛڞڪھۊRDcy;䐪Āctڐڔek;䋇;䁞irc;䄤r;愌lbertSpace;愋ǰگ\0ڲf;愍izontalLine;攀Āctۃۅòکrok;䄦mpńېۘownHumðįqual;扏܀EJOacdfgmnostuۺ۾܃܇܎ܚܞܡܨ݄ݸދޏޕcy;䐕lig;䄲cy;䐁cute耻Í䃍Āiyܓܘrc耻Î䃎;䐘ot;䄰r;愑rave耻Ì䃌ƀ;apܠܯܿĀcgܴܷr;䄪inaryI;慈lieóϝǴ݉\0ݢĀ;eݍݎ戬Āgrݓݘral;戫section;拂isibleĀCTݬݲomma;恣imes;恢ƀgptݿރވon;䄮f;쀀𝕀a;䎙cr;愐ilde;䄨ǫޚ\0ޞcy;䐆l耻Ï䃏ʀcfosuެ޷޼߂ߐĀiyޱ޵rc;䄴;䐙r;쀀𝔍pf;쀀𝕁ǣ߇\0ߌr;쀀𝒥rcy;䐈kcy;䐄΀HJacfosߤߨ߽߬߱ࠂࠈcy;䐥cy;䐌ppa;䎚Āey߶߻dil;䄶;䐚r;쀀𝔎pf;쀀𝕂cr;쀀𝒦րJTaceflmostࠥࠩࠬࡐࡣ঳সে্਷ੇcy;䐉耻<䀼ʀcmnpr࠷࠼ࡁࡄࡍute;䄹bda;䎛g;柪lacetrf;愒r;憞ƀaeyࡗ࡜ࡡron;䄽dil;䄻;䐛Āfsࡨ॰tԀACDFRTUVarࡾࢩࢱࣦ࣠ࣼयज़ΐ४Ānrࢃ࢏gleBracket;柨rowƀ;BR࢙࢚࢞憐ar;懤ightArrow;懆eiling;挈oǵࢷ\0ࣃbleBracket;柦nǔࣈ\0࣒eeVector;楡ectorĀ;Bࣛࣜ懃ar;楙loor;挊ightĀAV࣯ࣵrrow;憔ector;楎Āerँगeƀ;AVउऊऐ抣rrow;憤ector;楚iangleƀ;BEतथऩ抲ar;槏qual;抴pƀDTVषूौownVector;楑eeVector;楠ectorĀ;Bॖॗ憿ar;楘ectorĀ;B॥०憼ar;楒ightáΜs̀EFGLSTॾঋকঝঢভqualGreater;拚ullEqual;扦reater;扶ess;檡lantEqual;橽ilde;扲r;쀀𝔏Ā;eঽা拘ftarrow;懚idot;䄿ƀnpw৔ਖਛgȀLRlr৞৷ਂਐeftĀAR০৬rrow;柵ightArrow;柷ightArrow;柶eftĀarγਊightáοightáϊf;쀀𝕃erĀLRਢਬeftArrow;憙ightArrow;憘ƀchtਾੀੂòࡌ;憰rok;䅁;扪Ѐacefiosuਗ਼੝੠੷੼અઋ઎p;椅y;䐜Ādl੥੯iumSpace;恟lintrf;愳r;쀀𝔐nusPlus;戓pf;쀀𝕄cò੶;䎜ҀJacefostuણધભીଔଙඑ඗ඞcy;䐊cute;䅃ƀaey઴હાron;䅇dil;䅅;䐝ƀgswે૰଎ativeƀMTV૓૟૨ediumSpace;怋hiĀcn૦૘ë૙eryThiî૙tedĀGL૸ଆreaterGreateòٳessLesóੈLine;䀊r;쀀𝔑ȀBnptଢନଷ଺reak;恠BreakingSpace;䂠f;愕ڀ;CDEGHLNPRSTV୕ୖ୪୼஡௫ఄ౞಄ದ೘ൡඅ櫬Āou୛୤ngruent;扢pCap;扭oubleVerticalBar;戦ƀlqxஃஊ஛ement;戉ualĀ;Tஒஓ扠ilde;쀀≂̸ists;戄reater΀;EFGLSTஶஷ஽௉௓௘௥扯qual;扱ullEqual;쀀≧̸reater;쀀≫̸ess;批lantEqual;쀀⩾̸ilde;扵umpń௲௽ownHump;쀀≎̸qual;쀀≏̸eĀfsఊధtTriangleƀ;BEచఛడ拪ar;쀀⧏̸qual;括s̀;EGLSTవశ఼ౄోౘ扮qual;扰reater;扸ess;쀀≪̸lantEqual;쀀⩽̸ilde;扴estedĀGL౨౹reaterGreater;쀀⪢̸essLess;쀀⪡̸recedesƀ;ESಒಓಛ技qual;쀀⪯̸lantEqual;拠ĀeiಫಹverseElement;戌ghtTriangleƀ;BEೋೌ೒拫ar;쀀⧐̸qual;拭ĀquೝഌuareSuĀbp೨೹setĀ;E೰ೳ쀀⊏̸qual;拢ersetĀ;Eഃആ쀀⊐̸qual;拣ƀbcpഓതൎsetĀ;Eഛഞ쀀⊂⃒qual;抈ceedsȀ;ESTലള഻െ抁qual;쀀⪰̸lantEqual;拡ilde;쀀≿̸ersetĀ;E൘൛쀀⊃⃒qual;抉ildeȀ;EFT൮൯൵ൿ扁qual;扄ullEqual;扇ilde;扉erticalBar;戤cr;쀀𝒩ilde耻Ñ䃑;䎝܀Eacdfgmoprstuvලෂ෉෕ෛ෠෧෼ขภยา฿ไlig;䅒cute耻Ó䃓Āiy෎ීrc耻Ô䃔;䐞blac;䅐r;쀀𝔒rave耻Ò䃒ƀaei෮ෲ෶cr;䅌ga;䎩cron;䎟pf;쀀𝕆enCurlyĀDQฎบoubleQuote;怜uote;怘;橔Āclวฬr;쀀𝒪ash耻Ø䃘iŬื฼de耻Õ䃕es;樷ml耻Ö䃖erĀBP๋๠Āar๐๓r;怾acĀek๚๜;揞et;掴arenthesis;揜Ҁacfhilors๿ງຊຏຒດຝະ໼rtialD;戂y;䐟r;쀀𝔓i;䎦;䎠usMinus;䂱Āipຢອncareplanåڝf;愙Ȁ;eio຺ູ໠໤檻cedesȀ;EST່້໏໚扺qual;檯lantEqual;扼ilde;找me;怳Ādp໩໮uct;戏ortionĀ;aȥ໹l;戝Āci༁༆r;쀀𝒫;䎨ȀUfos༑༖༛༟OT耻"䀢r;쀀𝔔pf;愚cr;쀀𝒬؀BEacefhiorsu༾གྷཇའཱིྦྷྪྭ႖ႩႴႾarr;椐G耻®䂮ƀcnrཎནབute;䅔g;柫rĀ;tཛྷཝ憠l;椖ƀaeyཧཬཱron;䅘dil;䅖;䐠Ā;vླྀཹ愜erseĀEUྂྙĀlq྇ྎement;戋uilibrium;懋pEquilibrium;楯r»ཹo;䎡ghtЀACDFTUVa࿁࿫࿳ဢဨၛႇϘĀnr࿆࿒gleBracket;柩rowƀ;BL࿜࿝࿡憒ar;懥eftArrow;懄eiling;按oǵ࿹\0စbleBracket;柧nǔည\0နeeVector;楝ectorĀ;Bဝသ懂ar;楕loor;挋Āerိ၃eƀ;AVဵံြ抢rrow;憦ector;楛iangleƀ;BEၐၑၕ抳ar;槐qual;抵pƀDTVၣၮၸownVector;楏eeVector;楜ectorĀ;Bႂႃ憾ar;楔ectorĀ;B႑႒懀ar;楓Āpuႛ႞f;愝ndImplies;楰ightarrow;懛ĀchႹႼr;愛;憱leDelayed;槴ڀHOacfhimoqstuფჱჷჽᄙᄞᅑᅖᅡᅧᆵᆻᆿĀCcჩხHcy;䐩y;䐨FTcy;䐬cute;䅚ʀ;aeiyᄈᄉᄎᄓᄗ檼ron;䅠dil;䅞rc;䅜;䐡r;쀀𝔖ortȀDLRUᄪᄴᄾᅉownArrow»ОeftArrow»࢚ightArrow»࿝pArrow;憑gma;䎣allCircle;战pf;쀀𝕊ɲᅭ\0\0ᅰt;戚areȀ;ISUᅻᅼᆉᆯ斡ntersection;抓uĀbpᆏᆞsetĀ;Eᆗᆘ抏qual;抑ersetĀ;Eᆨᆩ抐qual;抒nion;抔cr;쀀𝒮ar;拆ȀbcmpᇈᇛሉላĀ;sᇍᇎ拐etĀ;Eᇍᇕqual;抆ĀchᇠህeedsȀ;ESTᇭᇮᇴᇿ扻qual;檰lantEqual;扽ilde;承Tháྌ;我ƀ;esሒሓሣ拑rsetĀ;Eሜም抃qual;抇et»ሓրHRSacfhiorsሾቄ቉ቕ቞ቱቶኟዂወዑORN耻Þ䃞ADE;愢ĀHc቎ቒcy;䐋y;䐦Ābuቚቜ;䀉;䎤ƀaeyብቪቯron;䅤dil;䅢;䐢r;쀀𝔗Āeiቻ኉ǲኀ\0ኇefore;戴a;䎘Ācn኎ኘkSpace;쀀  Space;怉ldeȀ;EFTካኬኲኼ戼qual;扃ullEqual;扅ilde;扈pf;쀀𝕋ipleDot;惛Āctዖዛr;쀀𝒯rok;䅦ૡዷጎጚጦ\0ጬጱ\0\0\0\0\0ጸጽ፷ᎅ\0᏿ᐄᐊᐐĀcrዻጁute耻Ú䃚rĀ;oጇገ憟cir;楉rǣጓ\0጖y;䐎ve;䅬Āiyጞጣrc耻Û䃛;䐣blac;䅰r;쀀𝔘rave耻Ù䃙acr;䅪Ādiፁ፩erĀBPፈ፝Āarፍፐr;䁟acĀekፗፙ;揟et;掵arenthesis;揝onĀ;P፰፱拃lus;抎Āgp፻፿on;䅲f;쀀𝕌ЀADETadps᎕ᎮᎸᏄϨᏒᏗᏳrrowƀ;BDᅐᎠᎤar;椒ownArrow;懅ownArrow;憕quilibrium;楮eeĀ;AᏋᏌ报rrow;憥ownáϳerĀLRᏞᏨeftArrow;憖ightArrow;憗iĀ;lᏹᏺ䏒on;䎥ing;䅮cr;쀀𝒰ilde;䅨ml耻Ü䃜ҀDbcdefosvᐧᐬᐰᐳᐾᒅᒊᒐᒖash;披ar;櫫y;䐒ashĀ;lᐻᐼ抩;櫦Āerᑃᑅ;拁ƀbtyᑌᑐᑺar;怖Ā;iᑏᑕcalȀBLSTᑡᑥᑪᑴar;戣ine;䁼eparator;杘ilde;所ThinSpace;怊r;쀀𝔙pf;쀀𝕍cr;쀀𝒱dash;抪ʀcefosᒧᒬᒱᒶᒼirc;䅴dge;拀r;쀀𝔚pf;쀀𝕎cr;쀀𝒲Ȁfiosᓋᓐᓒᓘr;쀀𝔛;䎞pf;쀀𝕏cr;쀀𝒳ҀAIUacfosuᓱᓵᓹᓽᔄᔏᔔᔚᔠcy;䐯cy;䐇cy;䐮cute耻Ý䃝Āiyᔉᔍrc;䅶;䐫r;쀀𝔜pf;쀀𝕐cr;쀀𝒴ml;䅸ЀHacdefosᔵᔹᔿᕋᕏᕝᕠᕤcy;䐖cute;䅹Āayᕄᕉron;䅽;䐗ot;䅻ǲᕔ\0ᕛoWidtè૙a;䎖r;愨pf;愤cr;쀀𝒵௡ᖃᖊᖐ\0ᖰᖶᖿ\0\0\0\0ᗆᗛᗫᙟ᙭\0ᚕ᚛ᚲᚹ\0ᚾcute耻á䃡reve;䄃̀;Ediuyᖜᖝᖡᖣᖨᖭ戾;쀀∾̳;房rc耻â䃢te肻´̆;䐰lig耻æ䃦Ā;r²ᖺ;쀀𝔞rave耻à䃠ĀepᗊᗖĀfpᗏᗔsym;愵èᗓha;䎱ĀapᗟcĀclᗤᗧr;䄁g;樿ɤᗰ\0\0ᘊʀ;adsvᗺᗻᗿᘁᘇ戧nd;橕;橜lope;橘;橚΀;elmrszᘘᘙᘛᘞᘿᙏᙙ戠;榤e»ᘙsdĀ;aᘥᘦ戡ѡᘰᘲᘴᘶᘸᘺᘼᘾ;榨;榩;榪;榫;榬;榭;榮;榯tĀ;vᙅᙆ戟bĀ;dᙌᙍ抾;榝Āptᙔᙗh;戢»¹arr;捼Āgpᙣᙧon;䄅f;쀀𝕒΀;Eaeiop዁ᙻᙽᚂᚄᚇᚊ;橰cir;橯;扊d;手s;䀧roxĀ;e዁ᚒñᚃing耻å䃥ƀctyᚡᚦᚨr;쀀𝒶;䀪mpĀ;e዁ᚯñʈilde耻ã䃣ml耻ä䃤Āciᛂᛈoninôɲnt;樑ࠀNabcdefiklnoprsu᛭ᛱᜰ᜼ᝃᝈ᝸᝽០៦ᠹᡐᜍ᤽᥈ᥰot;櫭Ācrᛶ᜞kȀcepsᜀᜅᜍᜓong;扌psilon;䏶rime;怵imĀ;e᜚᜛戽q;拍Ŷᜢᜦee;抽edĀ;gᜬᜭ挅e»ᜭrkĀ;t፜᜷brk;掶Āoyᜁᝁ;䐱quo;怞ʀcmprtᝓ᝛ᝡᝤᝨausĀ;eĊĉptyv;榰séᜌnoõēƀahwᝯ᝱ᝳ;䎲;愶een;扬r;쀀𝔟g΀costuvwឍឝឳេ៕៛៞ƀaiuបពរðݠrc;旯p»፱ƀdptឤឨឭot;樀lus;樁imes;樂ɱឹ\0\0ើcup;樆ar;昅riangleĀdu៍្own;施p;斳plus;樄eåᑄåᒭarow;植ƀako៭ᠦᠵĀcn៲ᠣkƀlst៺֫᠂ozenge;槫riangleȀ;dlr᠒᠓᠘᠝斴own;斾eft;旂ight;斸k;搣Ʊᠫ\0ᠳƲᠯ\0ᠱ;斒;斑4;斓ck;斈ĀeoᠾᡍĀ;qᡃᡆ쀀=⃥uiv;쀀≡⃥t;挐Ȁptwxᡙᡞᡧᡬf;쀀𝕓Ā;tᏋᡣom»Ꮜtie;拈؀DHUVbdhmptuvᢅᢖᢪᢻᣗᣛᣬ᣿ᤅᤊᤐᤡȀLRlrᢎᢐᢒᢔ;敗;敔;敖;敓ʀ;DUduᢡᢢᢤᢦᢨ敐;敦;敩;敤;敧ȀLRlrᢳᢵᢷᢹ;敝;敚;敜;教΀;HLRhlrᣊᣋᣍᣏᣑᣓᣕ救;敬;散;敠;敫;敢;敟ox;槉ȀLRlrᣤᣦᣨᣪ;敕;敒;攐;攌ʀ;DUduڽ᣷᣹᣻᣽;敥;敨;攬;攴inus;抟lus;択imes;抠ȀLRlrᤙᤛᤝ᤟;敛;敘;攘;攔΀;HLRhlrᤰᤱᤳᤵᤷ᤻᤹攂;敪;敡;敞;攼;攤;攜Āevģ᥂bar耻¦䂦Ȁceioᥑᥖᥚᥠr;쀀𝒷mi;恏mĀ;e᜚᜜lƀ;bhᥨᥩᥫ䁜;槅sub;柈Ŭᥴ᥾lĀ;e᥹᥺怢t»᥺pƀ;Eeįᦅᦇ;檮Ā;qۜۛೡᦧ\0᧨ᨑᨕᨲ\0ᨷᩐ\0\0᪴\0\0᫁\0\0ᬡᬮ᭍᭒\0᯽\0ᰌƀcpr᦭ᦲ᧝ute;䄇̀;abcdsᦿᧀᧄ᧊᧕᧙戩nd;橄rcup;橉Āau᧏᧒p;橋p;橇ot;橀;쀀∩︀Āeo᧢᧥t;恁îړȀaeiu᧰᧻ᨁᨅǰ᧵\0᧸s;橍on;䄍dil耻ç䃧rc;䄉psĀ;sᨌᨍ橌m;橐ot;䄋ƀdmnᨛᨠᨦil肻¸ƭptyv;榲t脀¢;eᨭᨮ䂢räƲr;쀀𝔠ƀceiᨽᩀᩍy;䑇ckĀ;mᩇᩈ朓ark»ᩈ;䏇r΀;Ecefms᩟᩠ᩢᩫ᪤᪪᪮旋;槃ƀ;elᩩᩪᩭ䋆q;扗eɡᩴ\0\0᪈rrowĀlr᩼᪁eft;憺ight;憻ʀRSacd᪒᪔᪖᪚᪟»ཇ;擈st;抛irc;抚ash;抝nint;樐id;櫯cir;槂ubsĀ;u᪻᪼晣it»᪼ˬ᫇᫔᫺\0ᬊonĀ;eᫍᫎ䀺Ā;qÇÆɭ᫙\0\0᫢aĀ;t᫞᫟䀬;䁀ƀ;fl᫨᫩᫫戁îᅠeĀmx᫱᫶ent»᫩eóɍǧ᫾\0ᬇĀ;dኻᬂot;橭nôɆƀfryᬐᬔᬗ;쀀𝕔oäɔ脀©;sŕᬝr;愗Āaoᬥᬩrr;憵ss;朗Ācuᬲᬷr;쀀𝒸Ābpᬼ᭄Ā;eᭁᭂ櫏;櫑Ā;eᭉᭊ櫐;櫒dot;拯΀delprvw᭠᭬᭷ᮂᮬᯔ᯹arrĀlr᭨᭪;椸;椵ɰ᭲\0\0᭵r;拞c;拟arrĀ;p᭿ᮀ憶;椽̀;bcdosᮏᮐᮖᮡᮥᮨ截rcap;橈Āauᮛᮞp;橆p;橊ot;抍r;橅;쀀∪︀Ȁalrv᮵ᮿᯞᯣrrĀ;mᮼᮽ憷;椼yƀevwᯇᯔᯘqɰᯎ\0\0ᯒreã᭳uã᭵ee;拎edge;拏en耻¤䂤earrowĀlrᯮ᯳eft»ᮀight»ᮽeäᯝĀciᰁᰇoninôǷnt;戱lcty;挭ঀAHabcdefhijlorstuwz᰸᰻᰿ᱝᱩᱵᲊᲞᲬᲷ᳻᳿ᴍᵻᶑᶫᶻ᷆᷍rò΁ar;楥Ȁglrs᱈ᱍ᱒᱔ger;怠eth;愸òᄳhĀ;vᱚᱛ怐»ऊūᱡᱧarow;椏aã̕Āayᱮᱳron;䄏;䐴ƀ;ao̲ᱼᲄĀgrʿᲁr;懊tseq;橷ƀglmᲑᲔᲘ耻°䂰ta;䎴ptyv;榱ĀirᲣᲨsht;楿;쀀𝔡arĀlrᲳᲵ»ࣜ»သʀaegsv᳂͸᳖᳜᳠mƀ;oș᳊᳔ndĀ;ș᳑uit;晦amma;䏝in;拲ƀ;io᳧᳨᳸䃷de脀÷;o᳧ᳰntimes;拇nø᳷cy;䑒cɯᴆ\0\0ᴊrn;挞op;挍ʀlptuwᴘᴝᴢᵉᵕlar;䀤f;쀀𝕕ʀ;emps̋ᴭᴷᴽᵂqĀ;d͒ᴳot;扑inus;戸lus;戔quare;抡blebarwedgåúnƀadhᄮᵝᵧownarrowóᲃarpoonĀlrᵲᵶefôᲴighôᲶŢᵿᶅkaro÷གɯᶊ\0\0ᶎrn;挟op;挌ƀcotᶘᶣᶦĀryᶝᶡ;쀀𝒹;䑕l;槶rok;䄑Ādrᶰᶴot;拱iĀ;fᶺ᠖斿Āah᷀᷃ròЩaòྦangle;榦Āci᷒ᷕy;䑟grarr;柿ऀDacdefglmnopqrstuxḁḉḙḸոḼṉṡṾấắẽỡἪἷὄ὎὚ĀDoḆᴴoôᲉĀcsḎḔute耻é䃩ter;橮ȀaioyḢḧḱḶron;䄛rĀ;cḭḮ扖耻ê䃪lon;払;䑍ot;䄗ĀDrṁṅot;扒;쀀𝔢ƀ;rsṐṑṗ檚ave耻è䃨Ā;dṜṝ檖ot;檘Ȁ;ilsṪṫṲṴ檙nters;揧;愓Ā;dṹṺ檕ot;檗ƀapsẅẉẗcr;䄓tyƀ;svẒẓẕ戅et»ẓpĀ1;ẝẤĳạả;怄;怅怃ĀgsẪẬ;䅋p;怂ĀgpẴẸon;䄙f;쀀𝕖ƀalsỄỎỒrĀ;sỊị拕l;槣us;橱iƀ;lvỚớở䎵on»ớ;䏵ȀcsuvỪỳἋἣĀioữḱrc»Ḯɩỹ\0\0ỻíՈantĀglἂἆtr»ṝess»Ṻƀaeiἒ἖Ἒls;䀽st;扟vĀ;DȵἠD;橸parsl;槥ĀDaἯἳot;打rr;楱ƀcdiἾὁỸr;愯oô͒ĀahὉὋ;䎷耻ð䃰Āmrὓὗl耻ë䃫o;悬ƀcipὡὤὧl;䀡sôծĀeoὬὴctatioîՙnentialåչৡᾒ\0ᾞ\0ᾡᾧ\0\0ῆῌ\0ΐ\0ῦῪ \0 ⁚llingdotseñṄy;䑄male;晀ƀilrᾭᾳ῁lig;耀ﬃɩᾹ\0\0᾽g;耀ﬀig;耀ﬄ;쀀𝔣lig;耀ﬁlig;쀀fjƀaltῙ῜ῡt;晭ig;耀ﬂns;斱of;䆒ǰ΅\0ῳf;쀀𝕗ĀakֿῷĀ;vῼ´拔;櫙artint;樍Āao‌⁕Ācs‑⁒α‚‰‸⁅⁈\0⁐β•‥‧‪‬\0‮耻½䂽;慓耻¼䂼;慕;慙;慛Ƴ‴\0‶;慔;慖ʴ‾⁁\0\0⁃耻¾䂾;慗;慜5;慘ƶ⁌\0⁎;慚;慝8;慞l;恄wn;挢cr;쀀𝒻ࢀEabcdefgijlnorstv₂₉₟₥₰₴⃰⃵⃺⃿℃ℒℸ̗ℾ⅒↞Ā;lٍ₇;檌ƀcmpₐₕ₝ute;䇵maĀ;dₜ᳚䎳;檆reve;䄟Āiy₪₮rc;䄝;䐳ot;䄡Ȁ;lqsؾق₽⃉ƀ;qsؾٌ⃄lanô٥Ȁ;cdl٥⃒⃥⃕c;檩otĀ;o⃜⃝檀Ā;l⃢⃣檂;檄Ā;e⃪⃭쀀⋛︀s;檔r;쀀𝔤Ā;gٳ؛mel;愷cy;䑓Ȁ;Eajٚℌℎℐ;檒;檥;檤ȀEaesℛℝ℩ℴ;扩pĀ;p℣ℤ檊rox»ℤĀ;q℮ℯ檈Ā;q℮ℛim;拧pf;쀀𝕘Āci⅃ⅆr;愊mƀ;el٫ⅎ⅐;檎;檐茀>;cdlqr׮ⅠⅪⅮⅳⅹĀciⅥⅧ;檧r;橺ot;拗Par;榕uest;橼ʀadelsↄⅪ←ٖ↛ǰ↉\0↎proø₞r;楸qĀlqؿ↖lesó₈ií٫Āen↣↭rtneqq;쀀≩︀Å↪ԀAabcefkosy⇄⇇⇱⇵⇺∘∝∯≨≽ròΠȀilmr⇐⇔⇗⇛rsðᒄf»․ilôکĀdr⇠⇤cy;䑊ƀ;cwࣴ⇫⇯ir;楈;憭ar;意irc;䄥ƀalr∁∎∓rtsĀ;u∉∊晥it»∊lip;怦con;抹r;쀀𝔥sĀew∣∩arow;椥arow;椦ʀamopr∺∾≃≞≣rr;懿tht;戻kĀlr≉≓eftarrow;憩ightarrow;憪f;쀀𝕙bar;怕ƀclt≯≴≸r;쀀𝒽asè⇴rok;䄧Ābp⊂⊇ull;恃hen»ᱛૡ⊣\0⊪\0⊸⋅⋎\0⋕⋳\0\0⋸⌢⍧⍢⍿\0⎆⎪⎴cute耻í䃭ƀ;iyݱ⊰⊵rc耻î䃮;䐸Ācx⊼⊿y;䐵cl耻¡䂡ĀfrΟ⋉;쀀𝔦rave耻ì䃬Ȁ;inoܾ⋝⋩⋮Āin⋢⋦nt;樌t;戭fin;槜ta;愩lig;䄳ƀaop⋾⌚⌝ƀcgt⌅⌈⌗r;䄫ƀelpܟ⌏⌓inåގarôܠh;䄱f;抷ed;䆵ʀ;cfotӴ⌬⌱⌽⍁are;愅inĀ;t⌸⌹戞ie;槝doô⌙ʀ;celpݗ⍌⍐⍛⍡al;抺Āgr⍕⍙eróᕣã⍍arhk;樗rod;樼Ȁcgpt⍯⍲⍶⍻y;䑑on;䄯f;쀀𝕚a;䎹uest耻¿䂿Āci⎊⎏r;쀀𝒾nʀ;EdsvӴ⎛⎝⎡ӳ;拹ot;拵Ā;v⎦⎧拴;拳Ā;iݷ⎮lde;䄩ǫ⎸\0⎼cy;䑖l耻ï䃯̀cfmosu⏌⏗⏜⏡⏧⏵Āiy⏑⏕rc;䄵;䐹r;쀀𝔧ath;䈷pf;쀀𝕛ǣ⏬\0⏱r;쀀𝒿rcy;䑘kcy;䑔Ѐacfghjos␋␖␢␧␭␱␵␻ppaĀ;v␓␔䎺;䏰Āey␛␠dil;䄷;䐺r;쀀𝔨reen;䄸cy;䑅cy;䑜pf;쀀𝕜cr;쀀𝓀஀ABEHabcdefghjlmnoprstuv⑰⒁⒆⒍⒑┎┽╚▀♎♞♥♹♽⚚⚲⛘❝❨➋⟀⠁⠒ƀart⑷⑺⑼rò৆òΕail;椛arr;椎Ā;gঔ⒋;檋ar;楢ॣ⒥\0⒪\0⒱\0\0\0\0\0⒵Ⓔ\0ⓆⓈⓍ\0⓹ute;䄺mptyv;榴raîࡌbda;䎻gƀ;dlࢎⓁⓃ;榑åࢎ;檅uo耻«䂫rЀ;bfhlpst࢙ⓞⓦⓩ⓫⓮⓱⓵Ā;f࢝ⓣs;椟s;椝ë≒p;憫l;椹im;楳l;憢ƀ;ae⓿─┄檫il;椙Ā;s┉┊檭;쀀⪭︀ƀabr┕┙┝rr;椌rk;杲Āak┢┬cĀek┨┪;䁻;䁛Āes┱┳;榋lĀdu┹┻;榏;榍Ȁaeuy╆╋╖╘ron;䄾Ādi═╔il;䄼ìࢰâ┩;䐻Ȁcqrs╣╦╭╽a;椶uoĀ;rนᝆĀdu╲╷har;楧shar;楋h;憲ʀ;fgqs▋▌উ◳◿扤tʀahlrt▘▤▷◂◨rrowĀ;t࢙□aé⓶arpoonĀdu▯▴own»њp»०eftarrows;懇ightƀahs◍◖◞rrowĀ;sࣴࢧarpoonó྘quigarro÷⇰hreetimes;拋ƀ;qs▋ও◺lanôবʀ;cdgsব☊☍☝☨c;檨otĀ;o☔☕橿Ā;r☚☛檁;檃Ā;e☢☥쀀⋚︀s;檓ʀadegs☳☹☽♉♋pproøⓆot;拖qĀgq♃♅ôউgtò⒌ôছiíলƀilr♕࣡♚sht;楼;쀀𝔩Ā;Eজ♣;檑š♩♶rĀdu▲♮Ā;l॥♳;楪lk;斄cy;䑙ʀ;achtੈ⚈⚋⚑⚖rò◁orneòᴈard;楫ri;旺Āio⚟⚤dot;䅀ustĀ;a⚬⚭掰che»⚭ȀEaes⚻⚽⛉⛔;扨pĀ;p⛃⛄檉rox»⛄Ā;q⛎⛏檇Ā;q⛎⚻im;拦Ѐabnoptwz⛩⛴⛷✚✯❁❇❐Ānr⛮⛱g;柬r;懽rëࣁgƀlmr⛿✍✔eftĀar০✇ightá৲apsto;柼ightá৽parrowĀlr✥✩efô⓭ight;憬ƀafl✶✹✽r;榅;쀀𝕝us;樭imes;樴š❋❏st;戗áፎƀ;ef❗❘᠀旊nge»❘arĀ;l❤❥䀨t;榓ʀachmt❳❶❼➅➇ròࢨorneòᶌarĀ;d྘➃;業;怎ri;抿̀achiqt➘➝ੀ➢➮➻quo;怹r;쀀𝓁mƀ;egল➪➬;檍;檏Ābu┪➳oĀ;rฟ➹;怚rok;䅂萀<;cdhilqrࠫ⟒☹⟜⟠⟥⟪⟰Āci⟗⟙;檦r;橹reå◲mes;拉arr;楶uest;橻ĀPi⟵⟹ar;榖ƀ;ef⠀भ᠛旃rĀdu⠇⠍shar;楊har;楦Āen⠗⠡rtneqq;쀀≨︀Å⠞܀Dacdefhilnopsu⡀⡅⢂⢎⢓⢠⢥⢨⣚⣢⣤ઃ⣳⤂Dot;戺Ȁclpr⡎⡒⡣⡽r耻¯䂯Āet⡗⡙;時Ā;e⡞⡟朠se»⡟Ā;sျ⡨toȀ;dluျ⡳⡷⡻owîҌefôएðᏑker;斮Āoy⢇⢌mma;権;䐼ash;怔asuredangle»ᘦr;쀀𝔪o;愧ƀcdn⢯⢴⣉ro耻µ䂵Ȁ;acdᑤ⢽⣀⣄sôᚧir;櫰ot肻·Ƶusƀ;bd⣒ᤃ⣓戒Ā;uᴼ⣘;横ţ⣞⣡p;櫛ò−ðઁĀdp⣩⣮els;抧f;쀀𝕞Āct⣸⣽r;쀀𝓂pos»ᖝƀ;lm⤉⤊⤍䎼timap;抸ఀGLRVabcdefghijlmoprstuvw⥂⥓⥾⦉⦘⧚⧩⨕⨚⩘⩝⪃⪕⪤⪨⬄⬇⭄⭿⮮ⰴⱧⱼ⳩Āgt⥇⥋;쀀⋙̸Ā;v⥐௏쀀≫⃒ƀelt⥚⥲⥶ftĀar⥡⥧rrow;懍ightarrow;懎;쀀⋘̸Ā;v⥻ే쀀≪⃒ightarrow;懏ĀDd⦎⦓ash;抯ash;抮ʀbcnpt⦣⦧⦬⦱⧌la»˞ute;䅄g;쀀∠⃒ʀ;Eiop඄⦼⧀⧅⧈;쀀⩰̸d;쀀≋̸s;䅉roø඄urĀ;a⧓⧔普lĀ;s⧓ସǳ⧟\0⧣p肻 ଷmpĀ;e௹ఀʀaeouy⧴⧾⨃⨐⨓ǰ⧹\0⧻;橃on;䅈dil;䅆ngĀ;dൾ⨊ot;쀀⩭̸p;橂;䐽ash;怓΀;Aadqsxஒ⨩⨭⨻⩁⩅⩐rr;懗rĀhr⨳⨶k;椤Ā;oᏲᏰot;쀀≐̸uiöୣĀei⩊⩎ar;椨í஘istĀ;s஠டr;쀀𝔫ȀEest௅⩦⩹⩼ƀ;qs஼⩭௡ƀ;qs஼௅⩴lanô௢ií௪Ā;rஶ⪁»ஷƀAap⪊⪍⪑rò⥱rr;憮ar;櫲ƀ;svྍ⪜ྌĀ;d⪡⪢拼;拺cy;䑚΀AEadest⪷⪺⪾⫂⫅⫶⫹rò⥦;쀀≦̸rr;憚r;急Ȁ;fqs఻⫎⫣⫯tĀar⫔⫙rro÷⫁ightarro÷⪐ƀ;qs఻⪺⫪lanôౕĀ;sౕ⫴»శiíౝĀ;rవ⫾iĀ;eచథiäඐĀpt⬌⬑f;쀀𝕟膀¬;in⬙⬚⬶䂬nȀ;Edvஉ⬤⬨⬮;쀀⋹̸ot;쀀⋵̸ǡஉ⬳⬵;拷;拶iĀ;vಸ⬼ǡಸ⭁⭃;拾;拽ƀaor⭋⭣⭩rȀ;ast୻⭕⭚⭟lleì୻l;쀀⫽⃥;쀀∂̸lint;樔ƀ;ceಒ⭰⭳uåಥĀ;cಘ⭸Ā;eಒ⭽ñಘȀAait⮈⮋⮝⮧rò⦈rrƀ;cw⮔⮕⮙憛;쀀⤳̸;쀀↝̸ghtarrow»⮕riĀ;eೋೖ΀chimpqu⮽⯍⯙⬄୸⯤⯯Ȁ;cerല⯆ഷ⯉uå൅;쀀𝓃ortɭ⬅\0\0⯖ará⭖mĀ;e൮⯟Ā;q൴൳suĀbp⯫⯭å೸åഋƀbcp⯶ⰑⰙȀ;Ees⯿ⰀഢⰄ抄;쀀⫅̸etĀ;eഛⰋqĀ;qണⰀcĀ;eലⰗñസȀ;EesⰢⰣൟⰧ抅;쀀⫆̸etĀ;e൘ⰮqĀ;qൠⰣȀgilrⰽⰿⱅⱇìௗlde耻ñ䃱çృiangleĀlrⱒⱜeftĀ;eచⱚñదightĀ;eೋⱥñ೗Ā;mⱬⱭ䎽ƀ;esⱴⱵⱹ䀣ro;愖p;怇ҀDHadgilrsⲏⲔⲙⲞⲣⲰⲶⳓⳣash;抭arr;椄p;쀀≍⃒ash;抬ĀetⲨⲬ;쀀≥⃒;쀀>⃒nfin;槞ƀAetⲽⳁⳅrr;椂;쀀≤⃒Ā;rⳊⳍ쀀<⃒ie;쀀⊴⃒ĀAtⳘⳜrr;椃rie;쀀⊵⃒im;쀀∼⃒ƀAan⳰⳴ⴂrr;懖rĀhr⳺⳽k;椣Ā;oᏧᏥear;椧ቓ᪕\0\0\0\0\0\0\0\0\0\0\0\0\0ⴭ\0ⴸⵈⵠⵥ⵲ⶄᬇ\0\0ⶍⶫ\0ⷈⷎ\0ⷜ⸙⸫⸾⹃Ācsⴱ᪗ute耻ó䃳ĀiyⴼⵅrĀ;c᪞ⵂ耻ô䃴;䐾ʀabios᪠ⵒⵗǈⵚlac;䅑v;樸old;榼lig;䅓Ācr⵩⵭ir;榿;쀀𝔬ͯ⵹\0\0⵼\0ⶂn;䋛ave耻ò䃲;槁Ābmⶈ෴ar;榵Ȁacitⶕ⶘ⶥⶨrò᪀Āir⶝ⶠr;榾oss;榻nå๒;槀ƀaeiⶱⶵⶹcr;䅍ga;䏉ƀcdnⷀⷅǍron;䎿;榶pf;쀀𝕠ƀaelⷔ⷗ǒr;榷rp;榹΀;adiosvⷪⷫⷮ⸈⸍⸐⸖戨rò᪆Ȁ;efmⷷⷸ⸂⸅橝rĀ;oⷾⷿ愴f»ⷿ耻ª䂪耻º䂺gof;抶r;橖lope;橗;橛ƀclo⸟⸡⸧ò⸁ash耻ø䃸l;折iŬⸯ⸴de耻õ䃵esĀ;aǛ⸺s;樶ml耻ö䃶bar;挽ૡ⹞\0⹽\0⺀⺝\0⺢⺹\0\0⻋ຜ\0⼓\0\0⼫⾼\0⿈rȀ;astЃ⹧⹲຅脀¶;l⹭⹮䂶leìЃɩ⹸\0\0⹻m;櫳;櫽y;䐿rʀcimpt⺋⺏⺓ᡥ⺗nt;䀥od;䀮il;怰enk;怱r;쀀𝔭ƀimo⺨⺰⺴Ā;v⺭⺮䏆;䏕maô੶ne;明ƀ;tv⺿⻀⻈䏀chfork»´;䏖Āau⻏⻟nĀck⻕⻝kĀ;h⇴⻛;愎ö⇴sҀ;abcdemst⻳⻴ᤈ⻹⻽⼄⼆⼊⼎䀫cir;樣ir;樢Āouᵀ⼂;樥;橲n肻±ຝim;樦wo;樧ƀipu⼙⼠⼥ntint;樕f;쀀𝕡nd耻£䂣Ԁ;Eaceinosu່⼿⽁⽄⽇⾁⾉⾒⽾⾶;檳p;檷uå໙Ā;c໎⽌̀;acens່⽙⽟⽦⽨⽾pproø⽃urlyeñ໙ñ໎ƀaes⽯⽶⽺pprox;檹qq;檵im;拨iíໟmeĀ;s⾈ຮ怲ƀEas⽸⾐⽺ð⽵ƀdfp໬⾙⾯ƀals⾠⾥⾪lar;挮ine;挒urf;挓Ā;t໻⾴ï໻rel;抰Āci⿀⿅r;쀀𝓅;䏈ncsp;怈̀fiopsu⿚⋢⿟⿥⿫⿱r;쀀𝔮pf;쀀𝕢rime;恗cr;쀀𝓆ƀaeo⿸〉〓tĀei⿾々rnionóڰnt;樖stĀ;e【】䀿ñἙô༔઀ABHabcdefhilmnoprstux぀けさすムㄎㄫㅇㅢㅲㆎ㈆㈕㈤㈩㉘㉮㉲㊐㊰㊷ƀartぇおがròႳòϝail;検aròᱥar;楤΀cdenqrtとふへみわゔヌĀeuねぱ;쀀∽̱te;䅕iãᅮmptyv;榳gȀ;del࿑らるろ;榒;榥å࿑uo耻»䂻rր;abcfhlpstw࿜ガクシスゼゾダッデナp;極Ā;f࿠ゴs;椠;椳s;椞ë≝ð✮l;楅im;楴l;憣;憝Āaiパフil;椚oĀ;nホボ戶aló༞ƀabrョリヮrò៥rk;杳ĀakンヽcĀekヹ・;䁽;䁝Āes㄂㄄;榌lĀduㄊㄌ;榎;榐Ȁaeuyㄗㄜㄧㄩron;䅙Ādiㄡㄥil;䅗ì࿲âヺ;䑀Ȁclqsㄴㄷㄽㅄa;椷dhar;楩uoĀ;rȎȍh;憳ƀacgㅎㅟངlȀ;ipsླྀㅘㅛႜnåႻarôྩt;断ƀilrㅩဣㅮsht;楽;쀀𝔯ĀaoㅷㆆrĀduㅽㅿ»ѻĀ;l႑ㆄ;楬Ā;vㆋㆌ䏁;䏱ƀgns㆕ㇹㇼht̀ahlrstㆤㆰ㇂㇘㇤㇮rrowĀ;t࿜ㆭaéトarpoonĀduㆻㆿowîㅾp»႒eftĀah㇊㇐rrowó࿪arpoonóՑightarrows;應quigarro÷ニhreetimes;拌g;䋚ingdotseñἲƀahm㈍㈐㈓rò࿪aòՑ;怏oustĀ;a㈞㈟掱che»㈟mid;櫮Ȁabpt㈲㈽㉀㉒Ānr㈷㈺g;柭r;懾rëဃƀafl㉇㉊㉎r;榆;쀀𝕣us;樮imes;樵Āap㉝㉧rĀ;g㉣㉤䀩t;榔olint;樒arò㇣Ȁachq㉻㊀Ⴜ㊅quo;怺r;쀀𝓇Ābu・㊊oĀ;rȔȓƀhir㊗㊛㊠reåㇸmes;拊iȀ;efl㊪ၙᠡ㊫方tri;槎luhar;楨;愞ൡ㋕㋛㋟㌬㌸㍱\0㍺㎤\0\0㏬㏰\0㐨㑈㑚㒭㒱㓊㓱\0㘖\0\0㘳cute;䅛quï➺Ԁ;Eaceinpsyᇭ㋳㋵㋿㌂㌋㌏㌟㌦㌩;檴ǰ㋺\0㋼;檸on;䅡uåᇾĀ;dᇳ㌇il;䅟rc;䅝ƀEas㌖㌘㌛;檶p;檺im;择olint;樓iíሄ;䑁otƀ;be㌴ᵇ㌵担;橦΀Aacmstx㍆㍊㍗㍛㍞㍣㍭rr;懘rĀhr㍐㍒ë∨Ā;oਸ਼਴t耻§䂧i;䀻war;椩mĀin㍩ðnuóñt;朶rĀ;o㍶⁕쀀𝔰Ȁacoy㎂㎆㎑㎠rp;景Āhy㎋㎏cy;䑉;䑈rtɭ㎙\0\0㎜iäᑤaraì⹯耻­䂭Āgm㎨㎴maƀ;fv㎱㎲㎲䏃;䏂Ѐ;deglnprካ㏅㏉㏎㏖㏞㏡㏦ot;橪Ā;q኱ኰĀ;E㏓㏔檞;檠Ā;E㏛㏜檝;檟e;扆lus;樤arr;楲aròᄽȀaeit㏸㐈㐏㐗Āls㏽㐄lsetmé㍪hp;樳parsl;槤Ādlᑣ㐔e;挣Ā;e㐜㐝檪Ā;s㐢㐣檬;쀀⪬︀ƀflp㐮㐳㑂tcy;䑌Ā;b㐸㐹䀯Ā;a㐾㐿槄r;挿f;쀀𝕤aĀdr㑍ЂesĀ;u㑔㑕晠it»㑕ƀcsu㑠㑹㒟Āau㑥㑯pĀ;sᆈ㑫;쀀⊓︀pĀ;sᆴ㑵;쀀⊔︀uĀbp㑿㒏ƀ;esᆗᆜ㒆etĀ;eᆗ㒍ñᆝƀ;esᆨᆭ㒖etĀ;eᆨ㒝ñᆮƀ;afᅻ㒦ְrť㒫ֱ»ᅼaròᅈȀcemt㒹㒾㓂㓅r;쀀𝓈tmîñiì㐕aræᆾĀar㓎㓕rĀ;f㓔ឿ昆Āan㓚㓭ightĀep㓣㓪psiloîỠhé⺯s»⡒ʀbcmnp㓻㕞ሉ㖋㖎Ҁ;Edemnprs㔎㔏㔑㔕㔞㔣㔬㔱㔶抂;櫅ot;檽Ā;dᇚ㔚ot;櫃ult;櫁ĀEe㔨㔪;櫋;把lus;檿arr;楹ƀeiu㔽㕒㕕tƀ;en㔎㕅㕋qĀ;qᇚ㔏eqĀ;q㔫㔨m;櫇Ābp㕚㕜;櫕;櫓c̀;acensᇭ㕬㕲㕹㕻㌦pproø㋺urlyeñᇾñᇳƀaes㖂㖈㌛pproø㌚qñ㌗g;晪ڀ123;Edehlmnps㖩㖬㖯ሜ㖲㖴㗀㗉㗕㗚㗟㗨㗭耻¹䂹耻²䂲耻³䂳;櫆Āos㖹㖼t;檾ub;櫘Ā;dሢ㗅ot;櫄sĀou㗏㗒l;柉b;櫗arr;楻ult;櫂ĀEe㗤㗦;櫌;抋lus;櫀ƀeiu㗴㘉㘌tƀ;enሜ㗼㘂qĀ;qሢ㖲eqĀ;q㗧㗤m;櫈Ābp㘑㘓;櫔;櫖ƀAan㘜㘠㘭rr;懙rĀhr㘦㘨ë∮Ā;oਫ਩war;椪lig耻ß䃟௡㙑㙝㙠ዎ㙳㙹\0㙾㛂\0\0\0\0\0㛛㜃\0㜉㝬\0\0\0㞇ɲ㙖\0\0㙛get;挖;䏄rë๟ƀaey㙦㙫㙰ron;䅥dil;䅣;䑂lrec;挕r;쀀𝔱Ȁeiko㚆㚝㚵㚼ǲ㚋\0㚑eĀ4fኄኁaƀ;sv㚘㚙㚛䎸ym;䏑Ācn㚢㚲kĀas㚨㚮pproø዁im»ኬsðኞĀas㚺㚮ð዁rn耻þ䃾Ǭ̟㛆⋧es膀×;bd㛏㛐㛘䃗Ā;aᤏ㛕r;樱;樰ƀeps㛡㛣㜀á⩍Ȁ;bcf҆㛬㛰㛴ot;挶ir;櫱Ā;o㛹㛼쀀𝕥rk;櫚á㍢rime;怴ƀaip㜏㜒㝤dåቈ΀adempst㜡㝍㝀㝑㝗㝜㝟ngleʀ;dlqr㜰㜱㜶㝀㝂斵own»ᶻeftĀ;e⠀㜾ñम;扜ightĀ;e㊪㝋ñၚot;旬inus;樺lus;樹b;槍ime;樻ezium;揢ƀcht㝲㝽㞁Āry㝷㝻;쀀𝓉;䑆cy;䑛rok;䅧Āio㞋㞎xô᝷headĀlr㞗㞠eftarro÷ࡏightarrow»ཝऀAHabcdfghlmoprstuw㟐㟓㟗㟤㟰㟼㠎㠜㠣㠴㡑㡝㡫㢩㣌㣒㣪㣶ròϭar;楣Ācr㟜㟢ute耻ú䃺òᅐrǣ㟪\0㟭y;䑞ve;䅭Āiy㟵㟺rc耻û䃻;䑃ƀabh㠃㠆㠋ròᎭlac;䅱aòᏃĀir㠓㠘sht;楾;쀀𝔲rave耻ù䃹š㠧㠱rĀlr㠬㠮»ॗ»ႃlk;斀Āct㠹㡍ɯ㠿\0\0㡊rnĀ;e㡅㡆挜r»㡆op;挏ri;旸Āal㡖㡚cr;䅫肻¨͉Āgp㡢㡦on;䅳f;쀀𝕦̀adhlsuᅋ㡸㡽፲㢑㢠ownáᎳarpoonĀlr㢈㢌efô㠭ighô㠯iƀ;hl㢙㢚㢜䏅»ᏺon»㢚parrows;懈ƀcit㢰㣄㣈ɯ㢶\0\0㣁rnĀ;e㢼㢽挝r»㢽op;挎ng;䅯ri;旹cr;쀀𝓊ƀdir㣙㣝㣢ot;拰lde;䅩iĀ;f㜰㣨»᠓Āam㣯㣲rò㢨l耻ü䃼angle;榧ހABDacdeflnoprsz㤜㤟㤩㤭㦵㦸㦽㧟㧤㧨㧳㧹㧽㨁㨠ròϷarĀ;v㤦㤧櫨;櫩asèϡĀnr㤲㤷grt;榜΀eknprst㓣㥆㥋㥒㥝㥤㦖appá␕othinçẖƀhir㓫⻈㥙opô⾵Ā;hᎷ㥢ïㆍĀiu㥩㥭gmá㎳Ābp㥲㦄setneqĀ;q㥽㦀쀀⊊︀;쀀⫋︀setneqĀ;q㦏㦒쀀⊋︀;쀀⫌︀Āhr㦛㦟etá㚜iangleĀlr㦪㦯eft»थight»ၑy;䐲ash»ံƀelr㧄㧒㧗ƀ;beⷪ㧋㧏ar;抻q;扚lip;拮Ābt㧜ᑨaòᑩr;쀀𝔳tré㦮suĀbp㧯㧱»ജ»൙pf;쀀𝕧roð໻tré㦴Ācu㨆㨋r;쀀𝓋Ābp㨐㨘nĀEe㦀㨖»㥾nĀEe㦒㨞»㦐igzag;榚΀cefoprs㨶㨻㩖㩛㩔㩡㩪irc;䅵Ādi㩀㩑Ābg㩅㩉ar;機eĀ;qᗺ㩏;扙erp;愘r;쀀𝔴pf;쀀𝕨Ā;eᑹ㩦atèᑹcr;쀀𝓌ૣណ㪇\0㪋\0㪐㪛\0\0㪝㪨㪫㪯\0\0㫃㫎\0㫘ៜ៟tré៑r;쀀𝔵ĀAa㪔㪗ròσrò৶;䎾ĀAa㪡㪤ròθrò৫að✓is;拻ƀdptឤ㪵㪾Āfl㪺ឩ;쀀𝕩imåឲĀAa㫇㫊ròώròਁĀcq㫒ីr;쀀𝓍Āpt៖㫜ré។Ѐacefiosu㫰㫽㬈㬌㬑㬕㬛㬡cĀuy㫶㫻te耻ý䃽;䑏Āiy㬂㬆rc;䅷;䑋n耻¥䂥r;쀀𝔶cy;䑗pf;쀀𝕪cr;쀀𝓎Ācm㬦㬩y;䑎l耻ÿ䃿Ԁacdefhiosw㭂㭈㭔㭘㭤㭩㭭㭴㭺㮀cute;䅺Āay㭍㭒ron;䅾;䐷ot;䅼Āet㭝㭡træᕟa;䎶r;쀀𝔷cy;䐶grarr;懝pf;쀀𝕫cr;쀀𝓏Ājn㮅㮇;怍j;怌'.split("").map((c) => c.charCodeAt(0))
);

// entities/lib/esm/generated/decode-data-xml.js
var decode_data_xml_default = new Uint16Array(
  // prettier-ignore
  "Ȁaglq	\x1Bɭ\0\0p;䀦os;䀧t;䀾t;䀼uot;䀢".split("").map((c) => c.charCodeAt(0))
);

// entities/lib/esm/decode_codepoint.js
var _a;
var decodeMap = /* @__PURE__ */ new Map([
  [0, 65533],
  // C1 Unicode control character reference replacements
  [128, 8364],
  [130, 8218],
  [131, 402],
  [132, 8222],
  [133, 8230],
  [134, 8224],
  [135, 8225],
  [136, 710],
  [137, 8240],
  [138, 352],
  [139, 8249],
  [140, 338],
  [142, 381],
  [145, 8216],
  [146, 8217],
  [147, 8220],
  [148, 8221],
  [149, 8226],
  [150, 8211],
  [151, 8212],
  [152, 732],
  [153, 8482],
  [154, 353],
  [155, 8250],
  [156, 339],
  [158, 382],
  [159, 376]
]);
var fromCodePoint = (
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition, node/no-unsupported-features/es-builtins
  (_a = String.fromCodePoint) !== null && _a !== void 0 ? _a : function(codePoint) {
    let output = "";
    if (codePoint > 65535) {
      codePoint -= 65536;
      output += String.fromCharCode(codePoint >>> 10 & 1023 | 55296);
      codePoint = 56320 | codePoint & 1023;
    }
    output += String.fromCharCode(codePoint);
    return output;
  }
);
function replaceCodePoint(codePoint) {
  var _a2;
  if (codePoint >= 55296 && codePoint <= 57343 || codePoint > 1114111) {
    return 65533;
  }
  return (_a2 = decodeMap.get(codePoint)) !== null && _a2 !== void 0 ? _a2 : codePoint;
}

// entities/lib/esm/decode.js
var CharCodes;
(function(CharCodes2) {
  CharCodes2[CharCodes2["NUM"] = 35] = "NUM";
  CharCodes2[CharCodes2["SEMI"] = 59] = "SEMI";
  CharCodes2[CharCodes2["EQUALS"] = 61] = "EQUALS";
  CharCodes2[CharCodes2["ZERO"] = 48] = "ZERO";
  CharCodes2[CharCodes2["NINE"] = 57] = "NINE";
  CharCodes2[CharCodes2["LOWER_A"] = 97] = "LOWER_A";
  CharCodes2[CharCodes2["LOWER_F"] = 102] = "LOWER_F";
  CharCodes2[CharCodes2["LOWER_X"] = 120] = "LOWER_X";
  CharCodes2[CharCodes2["LOWER_Z"] = 122] = "LOWER_Z";
  CharCodes2[CharCodes2["UPPER_A"] = 65] = "UPPER_A";
  CharCodes2[CharCodes2["UPPER_F"] = 70] = "UPPER_F";
  CharCodes2[CharCodes2["UPPER_Z"] = 90] = "UPPER_Z";
})(CharCodes || (CharCodes = {}));
var TO_LOWER_BIT = 32;
var BinTrieFlags;
(function(BinTrieFlags2) {
  BinTrieFlags2[BinTrieFlags2["VALUE_LENGTH"] = 49152] = "VALUE_LENGTH";
  BinTrieFlags2[BinTrieFlags2["BRANCH_LENGTH"] = 16256] = "BRANCH_LENGTH";
  BinTrieFlags2[BinTrieFlags2["JUMP_TABLE"] = 127] = "JUMP_TABLE";
})(BinTrieFlags || (BinTrieFlags = {}));
function isNumber(code2) {
  return code2 >= CharCodes.ZERO && code2 <= CharCodes.NINE;
}
function isHexadecimalCharacter(code2) {
  return code2 >= CharCodes.UPPER_A && code2 <= CharCodes.UPPER_F || code2 >= CharCodes.LOWER_A && code2 <= CharCodes.LOWER_F;
}
function isAsciiAlphaNumeric(code2) {
  return code2 >= CharCodes.UPPER_A && code2 <= CharCodes.UPPER_Z || code2 >= CharCodes.LOWER_A && code2 <= CharCodes.LOWER_Z || isNumber(code2);
}
function isEntityInAttributeInvalidEnd(code2) {
  return code2 === CharCodes.EQUALS || isAsciiAlphaNumeric(code2);
}
var EntityDecoderState;
(function(EntityDecoderState2) {
  EntityDecoderState2[EntityDecoderState2["EntityStart"] = 0] = "EntityStart";
  EntityDecoderState2[EntityDecoderState2["NumericStart"] = 1] = "NumericStart";
  EntityDecoderState2[EntityDecoderState2["NumericDecimal"] = 2] = "NumericDecimal";
  EntityDecoderState2[EntityDecoderState2["NumericHex"] = 3] = "NumericHex";
  EntityDecoderState2[EntityDecoderState2["NamedEntity"] = 4] = "NamedEntity";
})(EntityDecoderState || (EntityDecoderState = {}));
var DecodingMode;
(function(DecodingMode2) {
  DecodingMode2[DecodingMode2["Legacy"] = 0] = "Legacy";
  DecodingMode2[DecodingMode2["Strict"] = 1] = "Strict";
  DecodingMode2[DecodingMode2["Attribute"] = 2] = "Attribute";
})(DecodingMode || (DecodingMode = {}));
var EntityDecoder = class {
  constructor(decodeTree, emitCodePoint, errors2) {
    this.decodeTree = decodeTree;
    this.emitCodePoint = emitCodePoint;
    this.errors = errors2;
    this.state = EntityDecoderState.EntityStart;
    this.consumed = 1;
    this.result = 0;
    this.treeIndex = 0;
    this.excess = 1;
    this.decodeMode = DecodingMode.Strict;
  }
  /** Resets the instance to make it reusable. */
  startEntity(decodeMode) {
    this.decodeMode = decodeMode;
    this.state = EntityDecoderState.EntityStart;
    this.result = 0;
    this.treeIndex = 0;
    this.excess = 1;
    this.consumed = 1;
  }
  /**
   * Write an entity to the decoder. This can be called multiple times with partial entities.
   * If the entity is incomplete, the decoder will return -1.
   *
   * Mirrors the implementation of `getDecoder`, but with the ability to stop decoding if the
   * entity is incomplete, and resume when the next string is written.
   *
   * @param string The string containing the entity (or a continuation of the entity).
   * @param offset The offset at which the entity begins. Should be 0 if this is not the first call.
   * @returns The number of characters that were consumed, or -1 if the entity is incomplete.
   */
  write(str, offset) {
    switch (this.state) {
      case EntityDecoderState.EntityStart: {
        if (str.charCodeAt(offset) === CharCodes.NUM) {
          this.state = EntityDecoderState.NumericStart;
          this.consumed += 1;
          return this.stateNumericStart(str, offset + 1);
        }
        this.state = EntityDecoderState.NamedEntity;
        return this.stateNamedEntity(str, offset);
      }
      case EntityDecoderState.NumericStart: {
        return this.stateNumericStart(str, offset);
      }
      case EntityDecoderState.NumericDecimal: {
        return this.stateNumericDecimal(str, offset);
      }
      case EntityDecoderState.NumericHex: {
        return this.stateNumericHex(str, offset);
      }
      case EntityDecoderState.NamedEntity: {
        return this.stateNamedEntity(str, offset);
      }
    }
  }
  /**
   * Switches between the numeric decimal and hexadecimal states.
   *
   * Equivalent to the `Numeric character reference state` in the HTML spec.
   *
   * @param str The string containing the entity (or a continuation of the entity).
   * @param offset The current offset.
   * @returns The number of characters that were consumed, or -1 if the entity is incomplete.
   */
  stateNumericStart(str, offset) {
    if (offset >= str.length) {
      return -1;
    }
    if ((str.charCodeAt(offset) | TO_LOWER_BIT) === CharCodes.LOWER_X) {
      this.state = EntityDecoderState.NumericHex;
      this.consumed += 1;
      return this.stateNumericHex(str, offset + 1);
    }
    this.state = EntityDecoderState.NumericDecimal;
    return this.stateNumericDecimal(str, offset);
  }
  addToNumericResult(str, start, end, base2) {
    if (start !== end) {
      const digitCount = end - start;
      this.result = this.result * Math.pow(base2, digitCount) + parseInt(str.substr(start, digitCount), base2);
      this.consumed += digitCount;
    }
  }
  /**
   * Parses a hexadecimal numeric entity.
   *
   * Equivalent to the `Hexademical character reference state` in the HTML spec.
   *
   * @param str The string containing the entity (or a continuation of the entity).
   * @param offset The current offset.
   * @returns The number of characters that were consumed, or -1 if the entity is incomplete.
   */
  stateNumericHex(str, offset) {
    const startIdx = offset;
    while (offset < str.length) {
      const char = str.charCodeAt(offset);
      if (isNumber(char) || isHexadecimalCharacter(char)) {
        offset += 1;
      } else {
        this.addToNumericResult(str, startIdx, offset, 16);
        return this.emitNumericEntity(char, 3);
      }
    }
    this.addToNumericResult(str, startIdx, offset, 16);
    return -1;
  }
  /**
   * Parses a decimal numeric entity.
   *
   * Equivalent to the `Decimal character reference state` in the HTML spec.
   *
   * @param str The string containing the entity (or a continuation of the entity).
   * @param offset The current offset.
   * @returns The number of characters that were consumed, or -1 if the entity is incomplete.
   */
  stateNumericDecimal(str, offset) {
    const startIdx = offset;
    while (offset < str.length) {
      const char = str.charCodeAt(offset);
      if (isNumber(char)) {
        offset += 1;
      } else {
        this.addToNumericResult(str, startIdx, offset, 10);
        return this.emitNumericEntity(char, 2);
      }
    }
    this.addToNumericResult(str, startIdx, offset, 10);
    return -1;
  }
  /**
   * Validate and emit a numeric entity.
   *
   * Implements the logic from the `Hexademical character reference start
   * state` and `Numeric character reference end state` in the HTML spec.
   *
   * @param lastCp The last code point of the entity. Used to see if the
   *               entity was terminated with a semicolon.
   * @param expectedLength The minimum number of characters that should be
   *                       consumed. Used to validate that at least one digit
   *                       was consumed.
   * @returns The number of characters that were consumed.
   */
  emitNumericEntity(lastCp, expectedLength) {
    var _a2;
    if (this.consumed <= expectedLength) {
      (_a2 = this.errors) === null || _a2 === void 0 ? void 0 : _a2.absenceOfDigitsInNumericCharacterReference(this.consumed);
      return 0;
    }
    if (lastCp === CharCodes.SEMI) {
      this.consumed += 1;
    } else if (this.decodeMode === DecodingMode.Strict) {
      return 0;
    }
    this.emitCodePoint(replaceCodePoint(this.result), this.consumed);
    if (this.errors) {
      if (lastCp !== CharCodes.SEMI) {
        this.errors.missingSemicolonAfterCharacterReference();
      }
      this.errors.validateNumericCharacterReference(this.result);
    }
    return this.consumed;
  }
  /**
   * Parses a named entity.
   *
   * Equivalent to the `Named character reference state` in the HTML spec.
   *
   * @param str The string containing the entity (or a continuation of the entity).
   * @param offset The current offset.
   * @returns The number of characters that were consumed, or -1 if the entity is incomplete.
   */
  stateNamedEntity(str, offset) {
    const { decodeTree } = this;
    let current = decodeTree[this.treeIndex];
    let valueLength = (current & BinTrieFlags.VALUE_LENGTH) >> 14;
    for (; offset < str.length; offset++, this.excess++) {
      const char = str.charCodeAt(offset);
      this.treeIndex = determineBranch(decodeTree, current, this.treeIndex + Math.max(1, valueLength), char);
      if (this.treeIndex < 0) {
        return this.result === 0 || // If we are parsing an attribute
        this.decodeMode === DecodingMode.Attribute && // We shouldn't have consumed any characters after the entity,
        (valueLength === 0 || // And there should be no invalid characters.
        isEntityInAttributeInvalidEnd(char)) ? 0 : this.emitNotTerminatedNamedEntity();
      }
      current = decodeTree[this.treeIndex];
      valueLength = (current & BinTrieFlags.VALUE_LENGTH) >> 14;
      if (valueLength !== 0) {
        if (char === CharCodes.SEMI) {
          return this.emitNamedEntityData(this.treeIndex, valueLength, this.consumed + this.excess);
        }
        if (this.decodeMode !== DecodingMode.Strict) {
          this.result = this.treeIndex;
          this.consumed += this.excess;
          this.excess = 0;
        }
      }
    }
    return -1;
  }
  /**
   * Emit a named entity that was not terminated with a semicolon.
   *
   * @returns The number of characters consumed.
   */
  emitNotTerminatedNamedEntity() {
    var _a2;
    const { result, decodeTree } = this;
    const valueLength = (decodeTree[result] & BinTrieFlags.VALUE_LENGTH) >> 14;
    this.emitNamedEntityData(result, valueLength, this.consumed);
    (_a2 = this.errors) === null || _a2 === void 0 ? void 0 : _a2.missingSemicolonAfterCharacterReference();
    return this.consumed;
  }
  /**
   * Emit a named entity.
   *
   * @param result The index of the entity in the decode tree.
   * @param valueLength The number of bytes in the entity.
   * @param consumed The number of characters consumed.
   *
   * @returns The number of characters consumed.
   */
  emitNamedEntityData(result, valueLength, consumed) {
    const { decodeTree } = this;
    this.emitCodePoint(valueLength === 1 ? decodeTree[result] & ~BinTrieFlags.VALUE_LENGTH : decodeTree[result + 1], consumed);
    if (valueLength === 3) {
      this.emitCodePoint(decodeTree[result + 2], consumed);
    }
    return consumed;
  }
  /**
   * Signal to the parser that the end of the input was reached.
   *
   * Remaining data will be emitted and relevant errors will be produced.
   *
   * @returns The number of characters consumed.
   */
  end() {
    var _a2;
    switch (this.state) {
      case EntityDecoderState.NamedEntity: {
        return this.result !== 0 && (this.decodeMode !== DecodingMode.Attribute || this.result === this.treeIndex) ? this.emitNotTerminatedNamedEntity() : 0;
      }
      // Otherwise, emit a numeric entity if we have one.
      case EntityDecoderState.NumericDecimal: {
        return this.emitNumericEntity(0, 2);
      }
      case EntityDecoderState.NumericHex: {
        return this.emitNumericEntity(0, 3);
      }
      case EntityDecoderState.NumericStart: {
        (_a2 = this.errors) === null || _a2 === void 0 ? void 0 : _a2.absenceOfDigitsInNumericCharacterReference(this.consumed);
        return 0;
      }
      case EntityDecoderState.EntityStart: {
        return 0;
      }
    }
  }
};
function getDecoder(decodeTree) {
  let ret = "";
  const decoder = new EntityDecoder(decodeTree, (str) => ret += fromCodePoint(str));
  return function decodeWithTrie(str, decodeMode) {
    let lastIndex = 0;
    let offset = 0;
    while ((offset = str.indexOf("&", offset)) >= 0) {
      ret += str.slice(lastIndex, offset);
      decoder.startEntity(decodeMode);
      const len = decoder.write(
        str,
        // Skip the "&"
        offset + 1
      );
      if (len < 0) {
        lastIndex = offset + decoder.end();
        break;
      }
      lastIndex = offset + len;
      offset = len === 0 ? lastIndex + 1 : lastIndex;
    }
    const result = ret + str.slice(lastIndex);
    ret = "";
    return result;
  };
}
function determineBranch(decodeTree, current, nodeIdx, char) {
  const branchCount = (current & BinTrieFlags.BRANCH_LENGTH) >> 7;
  const jumpOffset = current & BinTrieFlags.JUMP_TABLE;
  if (branchCount === 0) {
    return jumpOffset !== 0 && char === jumpOffset ? nodeIdx : -1;
  }
  if (jumpOffset) {
    const value = char - jumpOffset;
    return value < 0 || value >= branchCount ? -1 : decodeTree[nodeIdx + value] - 1;
  }
  let lo = nodeIdx;
  let hi = lo + branchCount - 1;
  while (lo <= hi) {
    const mid = lo + hi >>> 1;
    const midVal = decodeTree[mid];
    if (midVal < char) {
      lo = mid + 1;
    } else if (midVal > char) {
      hi = mid - 1;
    } else {
      return decodeTree[mid + branchCount];
    }
  }
  return -1;
}
var htmlDecoder = getDecoder(decode_data_html_default);
var xmlDecoder = getDecoder(decode_data_xml_default);
function decodeHTML(str, mode = DecodingMode.Legacy) {
  return htmlDecoder(str, mode);
}
function decodeHTMLStrict(str) {
  return htmlDecoder(str, DecodingMode.Strict);
}

// entities/lib/esm/generated/encode-html.js
function restoreDiff(arr) {
  for (let i = 1; i < arr.length; i++) {
    arr[i][0] += arr[i - 1][0] + 1;
  }
  return arr;
}
var encode_html_default = new Map(/* @__PURE__ */ restoreDiff([[9, "&Tab;"], [0, "&NewLine;"], [22, "&excl;"], [0, "&quot;"], [0, "&num;"], [0, "&dollar;"], [0, "&percnt;"], [0, "&amp;"], [0, "&apos;"], [0, "&lpar;"], [0, "&rpar;"], [0, "&ast;"], [0, "&plus;"], [0, "&comma;"], [1, "&period;"], [0, "&sol;"], [10, "&colon;"], [0, "&semi;"], [0, { v: "&lt;", n: 8402, o: "&nvlt;" }], [0, { v: "&equals;", n: 8421, o: "&bne;" }], [0, { v: "&gt;", n: 8402, o: "&nvgt;" }], [0, "&quest;"], [0, "&commat;"], [26, "&lbrack;"], [0, "&bsol;"], [0, "&rbrack;"], [0, "&Hat;"], [0, "&lowbar;"], [0, "&DiacriticalGrave;"], [5, { n: 106, o: "&fjlig;" }], [20, "&lbrace;"], [0, "&verbar;"], [0, "&rbrace;"], [34, "&nbsp;"], [0, "&iexcl;"], [0, "&cent;"], [0, "&pound;"], [0, "&curren;"], [0, "&yen;"], [0, "&brvbar;"], [0, "&sect;"], [0, "&die;"], [0, "&copy;"], [0, "&ordf;"], [0, "&laquo;"], [0, "&not;"], [0, "&shy;"], [0, "&circledR;"], [0, "&macr;"], [0, "&deg;"], [0, "&PlusMinus;"], [0, "&sup2;"], [0, "&sup3;"], [0, "&acute;"], [0, "&micro;"], [0, "&para;"], [0, "&centerdot;"], [0, "&cedil;"], [0, "&sup1;"], [0, "&ordm;"], [0, "&raquo;"], [0, "&frac14;"], [0, "&frac12;"], [0, "&frac34;"], [0, "&iquest;"], [0, "&Agrave;"], [0, "&Aacute;"], [0, "&Acirc;"], [0, "&Atilde;"], [0, "&Auml;"], [0, "&angst;"], [0, "&AElig;"], [0, "&Ccedil;"], [0, "&Egrave;"], [0, "&Eacute;"], [0, "&Ecirc;"], [0, "&Euml;"], [0, "&Igrave;"], [0, "&Iacute;"], [0, "&Icirc;"], [0, "&Iuml;"], [0, "&ETH;"], [0, "&Ntilde;"], [0, "&Ograve;"], [0, "&Oacute;"], [0, "&Ocirc;"], [0, "&Otilde;"], [0, "&Ouml;"], [0, "&times;"], [0, "&Oslash;"], [0, "&Ugrave;"], [0, "&Uacute;"], [0, "&Ucirc;"], [0, "&Uuml;"], [0, "&Yacute;"], [0, "&THORN;"], [0, "&szlig;"], [0, "&agrave;"], [0, "&aacute;"], [0, "&acirc;"], [0, "&atilde;"], [0, "&auml;"], [0, "&aring;"], [0, "&aelig;"], [0, "&ccedil;"], [0, "&egrave;"], [0, "&eacute;"], [0, "&ecirc;"], [0, "&euml;"], [0, "&igrave;"], [0, "&iacute;"], [0, "&icirc;"], [0, "&iuml;"], [0, "&eth;"], [0, "&ntilde;"], [0, "&ograve;"], [0, "&oacute;"], [0, "&ocirc;"], [0, "&otilde;"], [0, "&ouml;"], [0, "&div;"], [0, "&oslash;"], [0, "&ugrave;"], [0, "&uacute;"], [0, "&ucirc;"], [0, "&uuml;"], [0, "&yacute;"], [0, "&thorn;"], [0, "&yuml;"], [0, "&Amacr;"], [0, "&amacr;"], [0, "&Abreve;"], [0, "&abreve;"], [0, "&Aogon;"], [0, "&aogon;"], [0, "&Cacute;"], [0, "&cacute;"], [0, "&Ccirc;"], [0, "&ccirc;"], [0, "&Cdot;"], [0, "&cdot;"], [0, "&Ccaron;"], [0, "&ccaron;"], [0, "&Dcaron;"], [0, "&dcaron;"], [0, "&Dstrok;"], [0, "&dstrok;"], [0, "&Emacr;"], [0, "&emacr;"], [2, "&Edot;"], [0, "&edot;"], [0, "&Eogon;"], [0, "&eogon;"], [0, "&Ecaron;"], [0, "&ecaron;"], [0, "&Gcirc;"], [0, "&gcirc;"], [0, "&Gbreve;"], [0, "&gbreve;"], [0, "&Gdot;"], [0, "&gdot;"], [0, "&Gcedil;"], [1, "&Hcirc;"], [0, "&hcirc;"], [0, "&Hstrok;"], [0, "&hstrok;"], [0, "&Itilde;"], [0, "&itilde;"], [0, "&Imacr;"], [0, "&imacr;"], [2, "&Iogon;"], [0, "&iogon;"], [0, "&Idot;"], [0, "&imath;"], [0, "&IJlig;"], [0, "&ijlig;"], [0, "&Jcirc;"], [0, "&jcirc;"], [0, "&Kcedil;"], [0, "&kcedil;"], [0, "&kgreen;"], [0, "&Lacute;"], [0, "&lacute;"], [0, "&Lcedil;"], [0, "&lcedil;"], [0, "&Lcaron;"], [0, "&lcaron;"], [0, "&Lmidot;"], [0, "&lmidot;"], [0, "&Lstrok;"], [0, "&lstrok;"], [0, "&Nacute;"], [0, "&nacute;"], [0, "&Ncedil;"], [0, "&ncedil;"], [0, "&Ncaron;"], [0, "&ncaron;"], [0, "&napos;"], [0, "&ENG;"], [0, "&eng;"], [0, "&Omacr;"], [0, "&omacr;"], [2, "&Odblac;"], [0, "&odblac;"], [0, "&OElig;"], [0, "&oelig;"], [0, "&Racute;"], [0, "&racute;"], [0, "&Rcedil;"], [0, "&rcedil;"], [0, "&Rcaron;"], [0, "&rcaron;"], [0, "&Sacute;"], [0, "&sacute;"], [0, "&Scirc;"], [0, "&scirc;"], [0, "&Scedil;"], [0, "&scedil;"], [0, "&Scaron;"], [0, "&scaron;"], [0, "&Tcedil;"], [0, "&tcedil;"], [0, "&Tcaron;"], [0, "&tcaron;"], [0, "&Tstrok;"], [0, "&tstrok;"], [0, "&Utilde;"], [0, "&utilde;"], [0, "&Umacr;"], [0, "&umacr;"], [0, "&Ubreve;"], [0, "&ubreve;"], [0, "&Uring;"], [0, "&uring;"], [0, "&Udblac;"], [0, "&udblac;"], [0, "&Uogon;"], [0, "&uogon;"], [0, "&Wcirc;"], [0, "&wcirc;"], [0, "&Ycirc;"], [0, "&ycirc;"], [0, "&Yuml;"], [0, "&Zacute;"], [0, "&zacute;"], [0, "&Zdot;"], [0, "&zdot;"], [0, "&Zcaron;"], [0, "&zcaron;"], [19, "&fnof;"], [34, "&imped;"], [63, "&gacute;"], [65, "&jmath;"], [142, "&circ;"], [0, "&caron;"], [16, "&breve;"], [0, "&DiacriticalDot;"], [0, "&ring;"], [0, "&ogon;"], [0, "&DiacriticalTilde;"], [0, "&dblac;"], [51, "&DownBreve;"], [127, "&Alpha;"], [0, "&Beta;"], [0, "&Gamma;"], [0, "&Delta;"], [0, "&Epsilon;"], [0, "&Zeta;"], [0, "&Eta;"], [0, "&Theta;"], [0, "&Iota;"], [0, "&Kappa;"], [0, "&Lambda;"], [0, "&Mu;"], [0, "&Nu;"], [0, "&Xi;"], [0, "&Omicron;"], [0, "&Pi;"], [0, "&Rho;"], [1, "&Sigma;"], [0, "&Tau;"], [0, "&Upsilon;"], [0, "&Phi;"], [0, "&Chi;"], [0, "&Psi;"], [0, "&ohm;"], [7, "&alpha;"], [0, "&beta;"], [0, "&gamma;"], [0, "&delta;"], [0, "&epsi;"], [0, "&zeta;"], [0, "&eta;"], [0, "&theta;"], [0, "&iota;"], [0, "&kappa;"], [0, "&lambda;"], [0, "&mu;"], [0, "&nu;"], [0, "&xi;"], [0, "&omicron;"], [0, "&pi;"], [0, "&rho;"], [0, "&sigmaf;"], [0, "&sigma;"], [0, "&tau;"], [0, "&upsi;"], [0, "&phi;"], [0, "&chi;"], [0, "&psi;"], [0, "&omega;"], [7, "&thetasym;"], [0, "&Upsi;"], [2, "&phiv;"], [0, "&piv;"], [5, "&Gammad;"], [0, "&digamma;"], [18, "&kappav;"], [0, "&rhov;"], [3, "&epsiv;"], [0, "&backepsilon;"], [10, "&IOcy;"], [0, "&DJcy;"], [0, "&GJcy;"], [0, "&Jukcy;"], [0, "&DScy;"], [0, "&Iukcy;"], [0, "&YIcy;"], [0, "&Jsercy;"], [0, "&LJcy;"], [0, "&NJcy;"], [0, "&TSHcy;"], [0, "&KJcy;"], [1, "&Ubrcy;"], [0, "&DZcy;"], [0, "&Acy;"], [0, "&Bcy;"], [0, "&Vcy;"], [0, "&Gcy;"], [0, "&Dcy;"], [0, "&IEcy;"], [0, "&ZHcy;"], [0, "&Zcy;"], [0, "&Icy;"], [0, "&Jcy;"], [0, "&Kcy;"], [0, "&Lcy;"], [0, "&Mcy;"], [0, "&Ncy;"], [0, "&Ocy;"], [0, "&Pcy;"], [0, "&Rcy;"], [0, "&Scy;"], [0, "&Tcy;"], [0, "&Ucy;"], [0, "&Fcy;"], [0, "&KHcy;"], [0, "&TScy;"], [0, "&CHcy;"], [0, "&SHcy;"], [0, "&SHCHcy;"], [0, "&HARDcy;"], [0, "&Ycy;"], [0, "&SOFTcy;"], [0, "&Ecy;"], [0, "&YUcy;"], [0, "&YAcy;"], [0, "&acy;"], [0, "&bcy;"], [0, "&vcy;"], [0, "&gcy;"], [0, "&dcy;"], [0, "&iecy;"], [0, "&zhcy;"], [0, "&zcy;"], [0, "&icy;"], [0, "&jcy;"], [0, "&kcy;"], [0, "&lcy;"], [0, "&mcy;"], [0, "&ncy;"], [0, "&ocy;"], [0, "&pcy;"], [0, "&rcy;"], [0, "&scy;"], [0, "&tcy;"], [0, "&ucy;"], [0, "&fcy;"], [0, "&khcy;"], [0, "&tscy;"], [0, "&chcy;"], [0, "&shcy;"], [0, "&shchcy;"], [0, "&hardcy;"], [0, "&ycy;"], [0, "&softcy;"], [0, "&ecy;"], [0, "&yucy;"], [0, "&yacy;"], [1, "&iocy;"], [0, "&djcy;"], [0, "&gjcy;"], [0, "&jukcy;"], [0, "&dscy;"], [0, "&iukcy;"], [0, "&yicy;"], [0, "&jsercy;"], [0, "&ljcy;"], [0, "&njcy;"], [0, "&tshcy;"], [0, "&kjcy;"], [1, "&ubrcy;"], [0, "&dzcy;"], [7074, "&ensp;"], [0, "&emsp;"], [0, "&emsp13;"], [0, "&emsp14;"], [1, "&numsp;"], [0, "&puncsp;"], [0, "&ThinSpace;"], [0, "&hairsp;"], [0, "&NegativeMediumSpace;"], [0, "&zwnj;"], [0, "&zwj;"], [0, "&lrm;"], [0, "&rlm;"], [0, "&dash;"], [2, "&ndash;"], [0, "&mdash;"], [0, "&horbar;"], [0, "&Verbar;"], [1, "&lsquo;"], [0, "&CloseCurlyQuote;"], [0, "&lsquor;"], [1, "&ldquo;"], [0, "&CloseCurlyDoubleQuote;"], [0, "&bdquo;"], [1, "&dagger;"], [0, "&Dagger;"], [0, "&bull;"], [2, "&nldr;"], [0, "&hellip;"], [9, "&permil;"], [0, "&pertenk;"], [0, "&prime;"], [0, "&Prime;"], [0, "&tprime;"], [0, "&backprime;"], [3, "&lsaquo;"], [0, "&rsaquo;"], [3, "&oline;"], [2, "&caret;"], [1, "&hybull;"], [0, "&frasl;"], [10, "&bsemi;"], [7, "&qprime;"], [7, { v: "&MediumSpace;", n: 8202, o: "&ThickSpace;" }], [0, "&NoBreak;"], [0, "&af;"], [0, "&InvisibleTimes;"], [0, "&ic;"], [72, "&euro;"], [46, "&tdot;"], [0, "&DotDot;"], [37, "&complexes;"], [2, "&incare;"], [4, "&gscr;"], [0, "&hamilt;"], [0, "&Hfr;"], [0, "&Hopf;"], [0, "&planckh;"], [0, "&hbar;"], [0, "&imagline;"], [0, "&Ifr;"], [0, "&lagran;"], [0, "&ell;"], [1, "&naturals;"], [0, "&numero;"], [0, "&copysr;"], [0, "&weierp;"], [0, "&Popf;"], [0, "&Qopf;"], [0, "&realine;"], [0, "&real;"], [0, "&reals;"], [0, "&rx;"], [3, "&trade;"], [1, "&integers;"], [2, "&mho;"], [0, "&zeetrf;"], [0, "&iiota;"], [2, "&bernou;"], [0, "&Cayleys;"], [1, "&escr;"], [0, "&Escr;"], [0, "&Fouriertrf;"], [1, "&Mellintrf;"], [0, "&order;"], [0, "&alefsym;"], [0, "&beth;"], [0, "&gimel;"], [0, "&daleth;"], [12, "&CapitalDifferentialD;"], [0, "&dd;"], [0, "&ee;"], [0, "&ii;"], [10, "&frac13;"], [0, "&frac23;"], [0, "&frac15;"], [0, "&frac25;"], [0, "&frac35;"], [0, "&frac45;"], [0, "&frac16;"], [0, "&frac56;"], [0, "&frac18;"], [0, "&frac38;"], [0, "&frac58;"], [0, "&frac78;"], [49, "&larr;"], [0, "&ShortUpArrow;"], [0, "&rarr;"], [0, "&darr;"], [0, "&harr;"], [0, "&updownarrow;"], [0, "&nwarr;"], [0, "&nearr;"], [0, "&LowerRightArrow;"], [0, "&LowerLeftArrow;"], [0, "&nlarr;"], [0, "&nrarr;"], [1, { v: "&rarrw;", n: 824, o: "&nrarrw;" }], [0, "&Larr;"], [0, "&Uarr;"], [0, "&Rarr;"], [0, "&Darr;"], [0, "&larrtl;"], [0, "&rarrtl;"], [0, "&LeftTeeArrow;"], [0, "&mapstoup;"], [0, "&map;"], [0, "&DownTeeArrow;"], [1, "&hookleftarrow;"], [0, "&hookrightarrow;"], [0, "&larrlp;"], [0, "&looparrowright;"], [0, "&harrw;"], [0, "&nharr;"], [1, "&lsh;"], [0, "&rsh;"], [0, "&ldsh;"], [0, "&rdsh;"], [1, "&crarr;"], [0, "&cularr;"], [0, "&curarr;"], [2, "&circlearrowleft;"], [0, "&circlearrowright;"], [0, "&leftharpoonup;"], [0, "&DownLeftVector;"], [0, "&RightUpVector;"], [0, "&LeftUpVector;"], [0, "&rharu;"], [0, "&DownRightVector;"], [0, "&dharr;"], [0, "&dharl;"], [0, "&RightArrowLeftArrow;"], [0, "&udarr;"], [0, "&LeftArrowRightArrow;"], [0, "&leftleftarrows;"], [0, "&upuparrows;"], [0, "&rightrightarrows;"], [0, "&ddarr;"], [0, "&leftrightharpoons;"], [0, "&Equilibrium;"], [0, "&nlArr;"], [0, "&nhArr;"], [0, "&nrArr;"], [0, "&DoubleLeftArrow;"], [0, "&DoubleUpArrow;"], [0, "&DoubleRightArrow;"], [0, "&dArr;"], [0, "&DoubleLeftRightArrow;"], [0, "&DoubleUpDownArrow;"], [0, "&nwArr;"], [0, "&neArr;"], [0, "&seArr;"], [0, "&swArr;"], [0, "&lAarr;"], [0, "&rAarr;"], [1, "&zigrarr;"], [6, "&larrb;"], [0, "&rarrb;"], [15, "&DownArrowUpArrow;"], [7, "&loarr;"], [0, "&roarr;"], [0, "&hoarr;"], [0, "&forall;"], [0, "&comp;"], [0, { v: "&part;", n: 824, o: "&npart;" }], [0, "&exist;"], [0, "&nexist;"], [0, "&empty;"], [1, "&Del;"], [0, "&Element;"], [0, "&NotElement;"], [1, "&ni;"], [0, "&notni;"], [2, "&prod;"], [0, "&coprod;"], [0, "&sum;"], [0, "&minus;"], [0, "&MinusPlus;"], [0, "&dotplus;"], [1, "&Backslash;"], [0, "&lowast;"], [0, "&compfn;"], [1, "&radic;"], [2, "&prop;"], [0, "&infin;"], [0, "&angrt;"], [0, { v: "&ang;", n: 8402, o: "&nang;" }], [0, "&angmsd;"], [0, "&angsph;"], [0, "&mid;"], [0, "&nmid;"], [0, "&DoubleVerticalBar;"], [0, "&NotDoubleVerticalBar;"], [0, "&and;"], [0, "&or;"], [0, { v: "&cap;", n: 65024, o: "&caps;" }], [0, { v: "&cup;", n: 65024, o: "&cups;" }], [0, "&int;"], [0, "&Int;"], [0, "&iiint;"], [0, "&conint;"], [0, "&Conint;"], [0, "&Cconint;"], [0, "&cwint;"], [0, "&ClockwiseContourIntegral;"], [0, "&awconint;"], [0, "&there4;"], [0, "&becaus;"], [0, "&ratio;"], [0, "&Colon;"], [0, "&dotminus;"], [1, "&mDDot;"], [0, "&homtht;"], [0, { v: "&sim;", n: 8402, o: "&nvsim;" }], [0, { v: "&backsim;", n: 817, o: "&race;" }], [0, { v: "&ac;", n: 819, o: "&acE;" }], [0, "&acd;"], [0, "&VerticalTilde;"], [0, "&NotTilde;"], [0, { v: "&eqsim;", n: 824, o: "&nesim;" }], [0, "&sime;"], [0, "&NotTildeEqual;"], [0, "&cong;"], [0, "&simne;"], [0, "&ncong;"], [0, "&ap;"], [0, "&nap;"], [0, "&ape;"], [0, { v: "&apid;", n: 824, o: "&napid;" }], [0, "&backcong;"], [0, { v: "&asympeq;", n: 8402, o: "&nvap;" }], [0, { v: "&bump;", n: 824, o: "&nbump;" }], [0, { v: "&bumpe;", n: 824, o: "&nbumpe;" }], [0, { v: "&doteq;", n: 824, o: "&nedot;" }], [0, "&doteqdot;"], [0, "&efDot;"], [0, "&erDot;"], [0, "&Assign;"], [0, "&ecolon;"], [0, "&ecir;"], [0, "&circeq;"], [1, "&wedgeq;"], [0, "&veeeq;"], [1, "&triangleq;"], [2, "&equest;"], [0, "&ne;"], [0, { v: "&Congruent;", n: 8421, o: "&bnequiv;" }], [0, "&nequiv;"], [1, { v: "&le;", n: 8402, o: "&nvle;" }], [0, { v: "&ge;", n: 8402, o: "&nvge;" }], [0, { v: "&lE;", n: 824, o: "&nlE;" }], [0, { v: "&gE;", n: 824, o: "&ngE;" }], [0, { v: "&lnE;", n: 65024, o: "&lvertneqq;" }], [0, { v: "&gnE;", n: 65024, o: "&gvertneqq;" }], [0, { v: "&ll;", n: new Map(/* @__PURE__ */ restoreDiff([[824, "&nLtv;"], [7577, "&nLt;"]])) }], [0, { v: "&gg;", n: new Map(/* @__PURE__ */ restoreDiff([[824, "&nGtv;"], [7577, "&nGt;"]])) }], [0, "&between;"], [0, "&NotCupCap;"], [0, "&nless;"], [0, "&ngt;"], [0, "&nle;"], [0, "&nge;"], [0, "&lesssim;"], [0, "&GreaterTilde;"], [0, "&nlsim;"], [0, "&ngsim;"], [0, "&LessGreater;"], [0, "&gl;"], [0, "&NotLessGreater;"], [0, "&NotGreaterLess;"], [0, "&pr;"], [0, "&sc;"], [0, "&prcue;"], [0, "&sccue;"], [0, "&PrecedesTilde;"], [0, { v: "&scsim;", n: 824, o: "&NotSucceedsTilde;" }], [0, "&NotPrecedes;"], [0, "&NotSucceeds;"], [0, { v: "&sub;", n: 8402, o: "&NotSubset;" }], [0, { v: "&sup;", n: 8402, o: "&NotSuperset;" }], [0, "&nsub;"], [0, "&nsup;"], [0, "&sube;"], [0, "&supe;"], [0, "&NotSubsetEqual;"], [0, "&NotSupersetEqual;"], [0, { v: "&subne;", n: 65024, o: "&varsubsetneq;" }], [0, { v: "&supne;", n: 65024, o: "&varsupsetneq;" }], [1, "&cupdot;"], [0, "&UnionPlus;"], [0, { v: "&sqsub;", n: 824, o: "&NotSquareSubset;" }], [0, { v: "&sqsup;", n: 824, o: "&NotSquareSuperset;" }], [0, "&sqsube;"], [0, "&sqsupe;"], [0, { v: "&sqcap;", n: 65024, o: "&sqcaps;" }], [0, { v: "&sqcup;", n: 65024, o: "&sqcups;" }], [0, "&CirclePlus;"], [0, "&CircleMinus;"], [0, "&CircleTimes;"], [0, "&osol;"], [0, "&CircleDot;"], [0, "&circledcirc;"], [0, "&circledast;"], [1, "&circleddash;"], [0, "&boxplus;"], [0, "&boxminus;"], [0, "&boxtimes;"], [0, "&dotsquare;"], [0, "&RightTee;"], [0, "&dashv;"], [0, "&DownTee;"], [0, "&bot;"], [1, "&models;"], [0, "&DoubleRightTee;"], [0, "&Vdash;"], [0, "&Vvdash;"], [0, "&VDash;"], [0, "&nvdash;"], [0, "&nvDash;"], [0, "&nVdash;"], [0, "&nVDash;"], [0, "&prurel;"], [1, "&LeftTriangle;"], [0, "&RightTriangle;"], [0, { v: "&LeftTriangleEqual;", n: 8402, o: "&nvltrie;" }], [0, { v: "&RightTriangleEqual;", n: 8402, o: "&nvrtrie;" }], [0, "&origof;"], [0, "&imof;"], [0, "&multimap;"], [0, "&hercon;"], [0, "&intcal;"], [0, "&veebar;"], [1, "&barvee;"], [0, "&angrtvb;"], [0, "&lrtri;"], [0, "&bigwedge;"], [0, "&bigvee;"], [0, "&bigcap;"], [0, "&bigcup;"], [0, "&diam;"], [0, "&sdot;"], [0, "&sstarf;"], [0, "&divideontimes;"], [0, "&bowtie;"], [0, "&ltimes;"], [0, "&rtimes;"], [0, "&leftthreetimes;"], [0, "&rightthreetimes;"], [0, "&backsimeq;"], [0, "&curlyvee;"], [0, "&curlywedge;"], [0, "&Sub;"], [0, "&Sup;"], [0, "&Cap;"], [0, "&Cup;"], [0, "&fork;"], [0, "&epar;"], [0, "&lessdot;"], [0, "&gtdot;"], [0, { v: "&Ll;", n: 824, o: "&nLl;" }], [0, { v: "&Gg;", n: 824, o: "&nGg;" }], [0, { v: "&leg;", n: 65024, o: "&lesg;" }], [0, { v: "&gel;", n: 65024, o: "&gesl;" }], [2, "&cuepr;"], [0, "&cuesc;"], [0, "&NotPrecedesSlantEqual;"], [0, "&NotSucceedsSlantEqual;"], [0, "&NotSquareSubsetEqual;"], [0, "&NotSquareSupersetEqual;"], [2, "&lnsim;"], [0, "&gnsim;"], [0, "&precnsim;"], [0, "&scnsim;"], [0, "&nltri;"], [0, "&NotRightTriangle;"], [0, "&nltrie;"], [0, "&NotRightTriangleEqual;"], [0, "&vellip;"], [0, "&ctdot;"], [0, "&utdot;"], [0, "&dtdot;"], [0, "&disin;"], [0, "&isinsv;"], [0, "&isins;"], [0, { v: "&isindot;", n: 824, o: "&notindot;" }], [0, "&notinvc;"], [0, "&notinvb;"], [1, { v: "&isinE;", n: 824, o: "&notinE;" }], [0, "&nisd;"], [0, "&xnis;"], [0, "&nis;"], [0, "&notnivc;"], [0, "&notnivb;"], [6, "&barwed;"], [0, "&Barwed;"], [1, "&lceil;"], [0, "&rceil;"], [0, "&LeftFloor;"], [0, "&rfloor;"], [0, "&drcrop;"], [0, "&dlcrop;"], [0, "&urcrop;"], [0, "&ulcrop;"], [0, "&bnot;"], [1, "&profline;"], [0, "&profsurf;"], [1, "&telrec;"], [0, "&target;"], [5, "&ulcorn;"], [0, "&urcorn;"], [0, "&dlcorn;"], [0, "&drcorn;"], [2, "&frown;"], [0, "&smile;"], [9, "&cylcty;"], [0, "&profalar;"], [7, "&topbot;"], [6, "&ovbar;"], [1, "&solbar;"], [60, "&angzarr;"], [51, "&lmoustache;"], [0, "&rmoustache;"], [2, "&OverBracket;"], [0, "&bbrk;"], [0, "&bbrktbrk;"], [37, "&OverParenthesis;"], [0, "&UnderParenthesis;"], [0, "&OverBrace;"], [0, "&UnderBrace;"], [2, "&trpezium;"], [4, "&elinters;"], [59, "&blank;"], [164, "&circledS;"], [55, "&boxh;"], [1, "&boxv;"], [9, "&boxdr;"], [3, "&boxdl;"], [3, "&boxur;"], [3, "&boxul;"], [3, "&boxvr;"], [7, "&boxvl;"], [7, "&boxhd;"], [7, "&boxhu;"], [7, "&boxvh;"], [19, "&boxH;"], [0, "&boxV;"], [0, "&boxdR;"], [0, "&boxDr;"], [0, "&boxDR;"], [0, "&boxdL;"], [0, "&boxDl;"], [0, "&boxDL;"], [0, "&boxuR;"], [0, "&boxUr;"], [0, "&boxUR;"], [0, "&boxuL;"], [0, "&boxUl;"], [0, "&boxUL;"], [0, "&boxvR;"], [0, "&boxVr;"], [0, "&boxVR;"], [0, "&boxvL;"], [0, "&boxVl;"], [0, "&boxVL;"], [0, "&boxHd;"], [0, "&boxhD;"], [0, "&boxHD;"], [0, "&boxHu;"], [0, "&boxhU;"], [0, "&boxHU;"], [0, "&boxvH;"], [0, "&boxVh;"], [0, "&boxVH;"], [19, "&uhblk;"], [3, "&lhblk;"], [3, "&block;"], [8, "&blk14;"], [0, "&blk12;"], [0, "&blk34;"], [13, "&square;"], [8, "&blacksquare;"], [0, "&EmptyVerySmallSquare;"], [1, "&rect;"], [0, "&marker;"], [2, "&fltns;"], [1, "&bigtriangleup;"], [0, "&blacktriangle;"], [0, "&triangle;"], [2, "&blacktriangleright;"], [0, "&rtri;"], [3, "&bigtriangledown;"], [0, "&blacktriangledown;"], [0, "&dtri;"], [2, "&blacktriangleleft;"], [0, "&ltri;"], [6, "&loz;"], [0, "&cir;"], [32, "&tridot;"], [2, "&bigcirc;"], [8, "&ultri;"], [0, "&urtri;"], [0, "&lltri;"], [0, "&EmptySmallSquare;"], [0, "&FilledSmallSquare;"], [8, "&bigstar;"], [0, "&star;"], [7, "&phone;"], [49, "&female;"], [1, "&male;"], [29, "&spades;"], [2, "&clubs;"], [1, "&hearts;"], [0, "&diamondsuit;"], [3, "&sung;"], [2, "&flat;"], [0, "&natural;"], [0, "&sharp;"], [163, "&check;"], [3, "&cross;"], [8, "&malt;"], [21, "&sext;"], [33, "&VerticalSeparator;"], [25, "&lbbrk;"], [0, "&rbbrk;"], [84, "&bsolhsub;"], [0, "&suphsol;"], [28, "&LeftDoubleBracket;"], [0, "&RightDoubleBracket;"], [0, "&lang;"], [0, "&rang;"], [0, "&Lang;"], [0, "&Rang;"], [0, "&loang;"], [0, "&roang;"], [7, "&longleftarrow;"], [0, "&longrightarrow;"], [0, "&longleftrightarrow;"], [0, "&DoubleLongLeftArrow;"], [0, "&DoubleLongRightArrow;"], [0, "&DoubleLongLeftRightArrow;"], [1, "&longmapsto;"], [2, "&dzigrarr;"], [258, "&nvlArr;"], [0, "&nvrArr;"], [0, "&nvHarr;"], [0, "&Map;"], [6, "&lbarr;"], [0, "&bkarow;"], [0, "&lBarr;"], [0, "&dbkarow;"], [0, "&drbkarow;"], [0, "&DDotrahd;"], [0, "&UpArrowBar;"], [0, "&DownArrowBar;"], [2, "&Rarrtl;"], [2, "&latail;"], [0, "&ratail;"], [0, "&lAtail;"], [0, "&rAtail;"], [0, "&larrfs;"], [0, "&rarrfs;"], [0, "&larrbfs;"], [0, "&rarrbfs;"], [2, "&nwarhk;"], [0, "&nearhk;"], [0, "&hksearow;"], [0, "&hkswarow;"], [0, "&nwnear;"], [0, "&nesear;"], [0, "&seswar;"], [0, "&swnwar;"], [8, { v: "&rarrc;", n: 824, o: "&nrarrc;" }], [1, "&cudarrr;"], [0, "&ldca;"], [0, "&rdca;"], [0, "&cudarrl;"], [0, "&larrpl;"], [2, "&curarrm;"], [0, "&cularrp;"], [7, "&rarrpl;"], [2, "&harrcir;"], [0, "&Uarrocir;"], [0, "&lurdshar;"], [0, "&ldrushar;"], [2, "&LeftRightVector;"], [0, "&RightUpDownVector;"], [0, "&DownLeftRightVector;"], [0, "&LeftUpDownVector;"], [0, "&LeftVectorBar;"], [0, "&RightVectorBar;"], [0, "&RightUpVectorBar;"], [0, "&RightDownVectorBar;"], [0, "&DownLeftVectorBar;"], [0, "&DownRightVectorBar;"], [0, "&LeftUpVectorBar;"], [0, "&LeftDownVectorBar;"], [0, "&LeftTeeVector;"], [0, "&RightTeeVector;"], [0, "&RightUpTeeVector;"], [0, "&RightDownTeeVector;"], [0, "&DownLeftTeeVector;"], [0, "&DownRightTeeVector;"], [0, "&LeftUpTeeVector;"], [0, "&LeftDownTeeVector;"], [0, "&lHar;"], [0, "&uHar;"], [0, "&rHar;"], [0, "&dHar;"], [0, "&luruhar;"], [0, "&ldrdhar;"], [0, "&ruluhar;"], [0, "&rdldhar;"], [0, "&lharul;"], [0, "&llhard;"], [0, "&rharul;"], [0, "&lrhard;"], [0, "&udhar;"], [0, "&duhar;"], [0, "&RoundImplies;"], [0, "&erarr;"], [0, "&simrarr;"], [0, "&larrsim;"], [0, "&rarrsim;"], [0, "&rarrap;"], [0, "&ltlarr;"], [1, "&gtrarr;"], [0, "&subrarr;"], [1, "&suplarr;"], [0, "&lfisht;"], [0, "&rfisht;"], [0, "&ufisht;"], [0, "&dfisht;"], [5, "&lopar;"], [0, "&ropar;"], [4, "&lbrke;"], [0, "&rbrke;"], [0, "&lbrkslu;"], [0, "&rbrksld;"], [0, "&lbrksld;"], [0, "&rbrkslu;"], [0, "&langd;"], [0, "&rangd;"], [0, "&lparlt;"], [0, "&rpargt;"], [0, "&gtlPar;"], [0, "&ltrPar;"], [3, "&vzigzag;"], [1, "&vangrt;"], [0, "&angrtvbd;"], [6, "&ange;"], [0, "&range;"], [0, "&dwangle;"], [0, "&uwangle;"], [0, "&angmsdaa;"], [0, "&angmsdab;"], [0, "&angmsdac;"], [0, "&angmsdad;"], [0, "&angmsdae;"], [0, "&angmsdaf;"], [0, "&angmsdag;"], [0, "&angmsdah;"], [0, "&bemptyv;"], [0, "&demptyv;"], [0, "&cemptyv;"], [0, "&raemptyv;"], [0, "&laemptyv;"], [0, "&ohbar;"], [0, "&omid;"], [0, "&opar;"], [1, "&operp;"], [1, "&olcross;"], [0, "&odsold;"], [1, "&olcir;"], [0, "&ofcir;"], [0, "&olt;"], [0, "&ogt;"], [0, "&cirscir;"], [0, "&cirE;"], [0, "&solb;"], [0, "&bsolb;"], [3, "&boxbox;"], [3, "&trisb;"], [0, "&rtriltri;"], [0, { v: "&LeftTriangleBar;", n: 824, o: "&NotLeftTriangleBar;" }], [0, { v: "&RightTriangleBar;", n: 824, o: "&NotRightTriangleBar;" }], [11, "&iinfin;"], [0, "&infintie;"], [0, "&nvinfin;"], [4, "&eparsl;"], [0, "&smeparsl;"], [0, "&eqvparsl;"], [5, "&blacklozenge;"], [8, "&RuleDelayed;"], [1, "&dsol;"], [9, "&bigodot;"], [0, "&bigoplus;"], [0, "&bigotimes;"], [1, "&biguplus;"], [1, "&bigsqcup;"], [5, "&iiiint;"], [0, "&fpartint;"], [2, "&cirfnint;"], [0, "&awint;"], [0, "&rppolint;"], [0, "&scpolint;"], [0, "&npolint;"], [0, "&pointint;"], [0, "&quatint;"], [0, "&intlarhk;"], [10, "&pluscir;"], [0, "&plusacir;"], [0, "&simplus;"], [0, "&plusdu;"], [0, "&plussim;"], [0, "&plustwo;"], [1, "&mcomma;"], [0, "&minusdu;"], [2, "&loplus;"], [0, "&roplus;"], [0, "&Cross;"], [0, "&timesd;"], [0, "&timesbar;"], [1, "&smashp;"], [0, "&lotimes;"], [0, "&rotimes;"], [0, "&otimesas;"], [0, "&Otimes;"], [0, "&odiv;"], [0, "&triplus;"], [0, "&triminus;"], [0, "&tritime;"], [0, "&intprod;"], [2, "&amalg;"], [0, "&capdot;"], [1, "&ncup;"], [0, "&ncap;"], [0, "&capand;"], [0, "&cupor;"], [0, "&cupcap;"], [0, "&capcup;"], [0, "&cupbrcap;"], [0, "&capbrcup;"], [0, "&cupcup;"], [0, "&capcap;"], [0, "&ccups;"], [0, "&ccaps;"], [2, "&ccupssm;"], [2, "&And;"], [0, "&Or;"], [0, "&andand;"], [0, "&oror;"], [0, "&orslope;"], [0, "&andslope;"], [1, "&andv;"], [0, "&orv;"], [0, "&andd;"], [0, "&ord;"], [1, "&wedbar;"], [6, "&sdote;"], [3, "&simdot;"], [2, { v: "&congdot;", n: 824, o: "&ncongdot;" }], [0, "&easter;"], [0, "&apacir;"], [0, { v: "&apE;", n: 824, o: "&napE;" }], [0, "&eplus;"], [0, "&pluse;"], [0, "&Esim;"], [0, "&Colone;"], [0, "&Equal;"], [1, "&ddotseq;"], [0, "&equivDD;"], [0, "&ltcir;"], [0, "&gtcir;"], [0, "&ltquest;"], [0, "&gtquest;"], [0, { v: "&leqslant;", n: 824, o: "&nleqslant;" }], [0, { v: "&geqslant;", n: 824, o: "&ngeqslant;" }], [0, "&lesdot;"], [0, "&gesdot;"], [0, "&lesdoto;"], [0, "&gesdoto;"], [0, "&lesdotor;"], [0, "&gesdotol;"], [0, "&lap;"], [0, "&gap;"], [0, "&lne;"], [0, "&gne;"], [0, "&lnap;"], [0, "&gnap;"], [0, "&lEg;"], [0, "&gEl;"], [0, "&lsime;"], [0, "&gsime;"], [0, "&lsimg;"], [0, "&gsiml;"], [0, "&lgE;"], [0, "&glE;"], [0, "&lesges;"], [0, "&gesles;"], [0, "&els;"], [0, "&egs;"], [0, "&elsdot;"], [0, "&egsdot;"], [0, "&el;"], [0, "&eg;"], [2, "&siml;"], [0, "&simg;"], [0, "&simlE;"], [0, "&simgE;"], [0, { v: "&LessLess;", n: 824, o: "&NotNestedLessLess;" }], [0, { v: "&GreaterGreater;", n: 824, o: "&NotNestedGreaterGreater;" }], [1, "&glj;"], [0, "&gla;"], [0, "&ltcc;"], [0, "&gtcc;"], [0, "&lescc;"], [0, "&gescc;"], [0, "&smt;"], [0, "&lat;"], [0, { v: "&smte;", n: 65024, o: "&smtes;" }], [0, { v: "&late;", n: 65024, o: "&lates;" }], [0, "&bumpE;"], [0, { v: "&PrecedesEqual;", n: 824, o: "&NotPrecedesEqual;" }], [0, { v: "&sce;", n: 824, o: "&NotSucceedsEqual;" }], [2, "&prE;"], [0, "&scE;"], [0, "&precneqq;"], [0, "&scnE;"], [0, "&prap;"], [0, "&scap;"], [0, "&precnapprox;"], [0, "&scnap;"], [0, "&Pr;"], [0, "&Sc;"], [0, "&subdot;"], [0, "&supdot;"], [0, "&subplus;"], [0, "&supplus;"], [0, "&submult;"], [0, "&supmult;"], [0, "&subedot;"], [0, "&supedot;"], [0, { v: "&subE;", n: 824, o: "&nsubE;" }], [0, { v: "&supE;", n: 824, o: "&nsupE;" }], [0, "&subsim;"], [0, "&supsim;"], [2, { v: "&subnE;", n: 65024, o: "&varsubsetneqq;" }], [0, { v: "&supnE;", n: 65024, o: "&varsupsetneqq;" }], [2, "&csub;"], [0, "&csup;"], [0, "&csube;"], [0, "&csupe;"], [0, "&subsup;"], [0, "&supsub;"], [0, "&subsub;"], [0, "&supsup;"], [0, "&suphsub;"], [0, "&supdsub;"], [0, "&forkv;"], [0, "&topfork;"], [0, "&mlcp;"], [8, "&Dashv;"], [1, "&Vdashl;"], [0, "&Barv;"], [0, "&vBar;"], [0, "&vBarv;"], [1, "&Vbar;"], [0, "&Not;"], [0, "&bNot;"], [0, "&rnmid;"], [0, "&cirmid;"], [0, "&midcir;"], [0, "&topcir;"], [0, "&nhpar;"], [0, "&parsim;"], [9, { v: "&parsl;", n: 8421, o: "&nparsl;" }], [44343, { n: new Map(/* @__PURE__ */ restoreDiff([[56476, "&Ascr;"], [1, "&Cscr;"], [0, "&Dscr;"], [2, "&Gscr;"], [2, "&Jscr;"], [0, "&Kscr;"], [2, "&Nscr;"], [0, "&Oscr;"], [0, "&Pscr;"], [0, "&Qscr;"], [1, "&Sscr;"], [0, "&Tscr;"], [0, "&Uscr;"], [0, "&Vscr;"], [0, "&Wscr;"], [0, "&Xscr;"], [0, "&Yscr;"], [0, "&Zscr;"], [0, "&ascr;"], [0, "&bscr;"], [0, "&cscr;"], [0, "&dscr;"], [1, "&fscr;"], [1, "&hscr;"], [0, "&iscr;"], [0, "&jscr;"], [0, "&kscr;"], [0, "&lscr;"], [0, "&mscr;"], [0, "&nscr;"], [1, "&pscr;"], [0, "&qscr;"], [0, "&rscr;"], [0, "&sscr;"], [0, "&tscr;"], [0, "&uscr;"], [0, "&vscr;"], [0, "&wscr;"], [0, "&xscr;"], [0, "&yscr;"], [0, "&zscr;"], [52, "&Afr;"], [0, "&Bfr;"], [1, "&Dfr;"], [0, "&Efr;"], [0, "&Ffr;"], [0, "&Gfr;"], [2, "&Jfr;"], [0, "&Kfr;"], [0, "&Lfr;"], [0, "&Mfr;"], [0, "&Nfr;"], [0, "&Ofr;"], [0, "&Pfr;"], [0, "&Qfr;"], [1, "&Sfr;"], [0, "&Tfr;"], [0, "&Ufr;"], [0, "&Vfr;"], [0, "&Wfr;"], [0, "&Xfr;"], [0, "&Yfr;"], [1, "&afr;"], [0, "&bfr;"], [0, "&cfr;"], [0, "&dfr;"], [0, "&efr;"], [0, "&ffr;"], [0, "&gfr;"], [0, "&hfr;"], [0, "&ifr;"], [0, "&jfr;"], [0, "&kfr;"], [0, "&lfr;"], [0, "&mfr;"], [0, "&nfr;"], [0, "&ofr;"], [0, "&pfr;"], [0, "&qfr;"], [0, "&rfr;"], [0, "&sfr;"], [0, "&tfr;"], [0, "&ufr;"], [0, "&vfr;"], [0, "&wfr;"], [0, "&xfr;"], [0, "&yfr;"], [0, "&zfr;"], [0, "&Aopf;"], [0, "&Bopf;"], [1, "&Dopf;"], [0, "&Eopf;"], [0, "&Fopf;"], [0, "&Gopf;"], [1, "&Iopf;"], [0, "&Jopf;"], [0, "&Kopf;"], [0, "&Lopf;"], [0, "&Mopf;"], [1, "&Oopf;"], [3, "&Sopf;"], [0, "&Topf;"], [0, "&Uopf;"], [0, "&Vopf;"], [0, "&Wopf;"], [0, "&Xopf;"], [0, "&Yopf;"], [1, "&aopf;"], [0, "&bopf;"], [0, "&copf;"], [0, "&dopf;"], [0, "&eopf;"], [0, "&fopf;"], [0, "&gopf;"], [0, "&hopf;"], [0, "&iopf;"], [0, "&jopf;"], [0, "&kopf;"], [0, "&lopf;"], [0, "&mopf;"], [0, "&nopf;"], [0, "&oopf;"], [0, "&popf;"], [0, "&qopf;"], [0, "&ropf;"], [0, "&sopf;"], [0, "&topf;"], [0, "&uopf;"], [0, "&vopf;"], [0, "&wopf;"], [0, "&xopf;"], [0, "&yopf;"], [0, "&zopf;"]])) }], [8906, "&fflig;"], [0, "&filig;"], [0, "&fllig;"], [0, "&ffilig;"], [0, "&ffllig;"]]));

// entities/lib/esm/escape.js
var xmlCodeMap = /* @__PURE__ */ new Map([
  [34, "&quot;"],
  [38, "&amp;"],
  [39, "&apos;"],
  [60, "&lt;"],
  [62, "&gt;"]
]);
var getCodePoint = (
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition
  String.prototype.codePointAt != null ? (str, index) => str.codePointAt(index) : (
    // http://mathiasbynens.be/notes/javascript-encoding#surrogate-formulae
    (c, index) => (c.charCodeAt(index) & 64512) === 55296 ? (c.charCodeAt(index) - 55296) * 1024 + c.charCodeAt(index + 1) - 56320 + 65536 : c.charCodeAt(index)
  )
);
function getEscaper(regex, map2) {
  return function escape3(data) {
    let match2;
    let lastIdx = 0;
    let result = "";
    while (match2 = regex.exec(data)) {
      if (lastIdx !== match2.index) {
        result += data.substring(lastIdx, match2.index);
      }
      result += map2.get(match2[0].charCodeAt(0));
      lastIdx = match2.index + 1;
    }
    return result + data.substring(lastIdx);
  };
}
var escapeUTF8 = getEscaper(/[&<>'"]/g, xmlCodeMap);
var escapeAttribute = getEscaper(/["&\u00A0]/g, /* @__PURE__ */ new Map([
  [34, "&quot;"],
  [38, "&amp;"],
  [160, "&nbsp;"]
]));
var escapeText = getEscaper(/[&<>\u00A0]/g, /* @__PURE__ */ new Map([
  [38, "&amp;"],
  [60, "&lt;"],
  [62, "&gt;"],
  [160, "&nbsp;"]
]));

// entities/lib/esm/index.js
var EntityLevel;
(function(EntityLevel2) {
  EntityLevel2[EntityLevel2["XML"] = 0] = "XML";
  EntityLevel2[EntityLevel2["HTML"] = 1] = "HTML";
})(EntityLevel || (EntityLevel = {}));
var EncodingMode;
(function(EncodingMode2) {
  EncodingMode2[EncodingMode2["UTF8"] = 0] = "UTF8";
  EncodingMode2[EncodingMode2["ASCII"] = 1] = "ASCII";
  EncodingMode2[EncodingMode2["Extensive"] = 2] = "Extensive";
  EncodingMode2[EncodingMode2["Attribute"] = 3] = "Attribute";
  EncodingMode2[EncodingMode2["Text"] = 4] = "Text";
})(EncodingMode || (EncodingMode = {}));

// markdown-it/lib/common/utils.mjs
function _class(obj) {
  return Object.prototype.toString.call(obj);
}
function isString(obj) {
  return _class(obj) === "[object String]";
}
var _hasOwnProperty = Object.prototype.hasOwnProperty;
function has(object, key) {
  return _hasOwnProperty.call(object, key);
}
function assign(obj) {
  const sources = Array.prototype.slice.call(arguments, 1);
  sources.forEach(function(source) {
    if (!source) {
      return;
    }
    if (typeof source !== "object") {
      throw new TypeError(source + "must be object");
    }
    Object.keys(source).forEach(function(key) {
      obj[key] = source[key];
    });
  });
  return obj;
}
function arrayReplaceAt(src, pos, newElements) {
  return [].concat(src.slice(0, pos), newElements, src.slice(pos + 1));
}
function isValidEntityCode(c) {
  if (c >= 55296 && c <= 57343) {
    return false;
  }
  if (c >= 64976 && c <= 65007) {
    return false;
  }
  if ((c & 65535) === 65535 || (c & 65535) === 65534) {
    return false;
  }
  if (c >= 0 && c <= 8) {
    return false;
  }
  if (c === 11) {
    return false;
  }
  if (c >= 14 && c <= 31) {
    return false;
  }
  if (c >= 127 && c <= 159) {
    return false;
  }
  if (c > 1114111) {
    return false;
  }
  return true;
}
function fromCodePoint2(c) {
  if (c > 65535) {
    c -= 65536;
    const surrogate1 = 55296 + (c >> 10);
    const surrogate2 = 56320 + (c & 1023);
    return String.fromCharCode(surrogate1, surrogate2);
  }
  return String.fromCharCode(c);
}
var UNESCAPE_MD_RE = /\\([!"#$%&'()*+,\-./:;<=>?@[\\\]^_`{|}~])/g;
var ENTITY_RE = /&([a-z#][a-z0-9]{1,31});/gi;
var UNESCAPE_ALL_RE = new RegExp(UNESCAPE_MD_RE.source + "|" + ENTITY_RE.source, "gi");
var DIGITAL_ENTITY_TEST_RE = /^#((?:x[a-f0-9]{1,8}|[0-9]{1,8}))$/i;
function replaceEntityPattern(match2, name) {
  if (name.charCodeAt(0) === 35 && DIGITAL_ENTITY_TEST_RE.test(name)) {
    const code2 = name[1].toLowerCase() === "x" ? parseInt(name.slice(2), 16) : parseInt(name.slice(1), 10);
    if (isValidEntityCode(code2)) {
      return fromCodePoint2(code2);
    }
    return match2;
  }
  const decoded2 = decodeHTML(match2);
  if (decoded2 !== match2) {
    return decoded2;
  }
  return match2;
}
function unescapeMd(str) {
  if (str.indexOf("\\") < 0) {
    return str;
  }
  return str.replace(UNESCAPE_MD_RE, "$1");
}
function unescapeAll(str) {
  if (str.indexOf("\\") < 0 && str.indexOf("&") < 0) {
    return str;
  }
  return str.replace(UNESCAPE_ALL_RE, function(match2, escaped, entity2) {
    if (escaped) {
      return escaped;
    }
    return replaceEntityPattern(match2, entity2);
  });
}
var HTML_ESCAPE_TEST_RE = /[&<>"]/;
var HTML_ESCAPE_REPLACE_RE = /[&<>"]/g;
var HTML_REPLACEMENTS = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;"
};
function replaceUnsafeChar(ch) {
  return HTML_REPLACEMENTS[ch];
}
function escapeHtml(str) {
  if (HTML_ESCAPE_TEST_RE.test(str)) {
    return str.replace(HTML_ESCAPE_REPLACE_RE, replaceUnsafeChar);
  }
  return str;
}
var REGEXP_ESCAPE_RE = /[.?*+^$[\]\\(){}|-]/g;
function escapeRE(str) {
  return str.replace(REGEXP_ESCAPE_RE, "\\$&");
}
function isSpace(code2) {
  switch (code2) {
    case 9:
    case 32:
      return true;
  }
  return false;
}
function isWhiteSpace(code2) {
  if (code2 >= 8192 && code2 <= 8202) {
    return true;
  }
  switch (code2) {
    case 9:
    // \t
    case 10:
    // \n
    case 11:
    // \v
    case 12:
    // \f
    case 13:
    // \r
    case 32:
    case 160:
    case 5760:
    case 8239:
    case 8287:
    case 12288:
      return true;
  }
  return false;
}
function isPunctChar(ch) {
  return regex_default4.test(ch) || regex_default5.test(ch);
}
function isPunctCharCode(code2) {
  return isPunctChar(fromCodePoint2(code2));
}
function isMdAsciiPunct(ch) {
  switch (ch) {
    case 33:
    case 34:
    case 35:
    case 36:
    case 37:
    case 38:
    case 39:
    case 40:
    case 41:
    case 42:
    case 43:
    case 44:
    case 45:
    case 46:
    case 47:
    case 58:
    case 59:
    case 60:
    case 61:
    case 62:
    case 63:
    case 64:
    case 91:
    case 92:
    case 93:
    case 94:
    case 95:
    case 96:
    case 123:
    case 124:
    case 125:
    case 126:
      return true;
    default:
      return false;
  }
}
function normalizeReference(str) {
  str = str.trim().replace(/\s+/g, " ");
  if ("ẞ".toLowerCase() === "Ṿ") {
    str = str.replace(/ẞ/g, "ß");
  }
  return str.toLowerCase().toUpperCase();
}
function isAsciiTrimmable(c) {
  return c === 32 || c === 9 || c === 10 || c === 13;
}
function asciiTrim(str) {
  let start = 0;
  for (; start < str.length; start++) {
    if (!isAsciiTrimmable(str.charCodeAt(start))) {
      break;
    }
  }
  let end = str.length - 1;
  for (; end >= start; end--) {
    if (!isAsciiTrimmable(str.charCodeAt(end))) {
      break;
    }
  }
  return str.slice(start, end + 1);
}
var lib = { mdurl: mdurl_exports, ucmicro: uc_exports };

// markdown-it/lib/helpers/index.mjs
var helpers_exports = {};
__export(helpers_exports, {
  parseLinkDestination: () => parseLinkDestination,
  parseLinkLabel: () => parseLinkLabel,
  parseLinkTitle: () => parseLinkTitle
});

// markdown-it/lib/helpers/parse_link_label.mjs
function parseLinkLabel(state, start, disableNested) {
  let level, found, marker, prevPos;
  const max = state.posMax;
  const oldPos = state.pos;
  state.pos = start + 1;
  level = 1;
  while (state.pos < max) {
    marker = state.src.charCodeAt(state.pos);
    if (marker === 93) {
      level--;
      if (level === 0) {
        found = true;
        break;
      }
    }
    prevPos = state.pos;
    state.md.inline.skipToken(state);
    if (marker === 91) {
      if (prevPos === state.pos - 1) {
        level++;
      } else if (disableNested) {
        state.pos = oldPos;
        return -1;
      }
    }
  }
  let labelEnd = -1;
  if (found) {
    labelEnd = state.pos;
  }
  state.pos = oldPos;
  return labelEnd;
}

// markdown-it/lib/helpers/parse_link_destination.mjs
function parseLinkDestination(str, start, max) {
  let code2;
  let pos = start;
  const result = {
    ok: false,
    pos: 0,
    str: ""
  };
  if (str.charCodeAt(pos) === 60) {
    pos++;
    while (pos < max) {
      code2 = str.charCodeAt(pos);
      if (code2 === 10) {
        return result;
      }
      if (code2 === 60) {
        return result;
      }
      if (code2 === 62) {
        result.pos = pos + 1;
        result.str = unescapeAll(str.slice(start + 1, pos));
        result.ok = true;
        return result;
      }
      if (code2 === 92 && pos + 1 < max) {
        pos += 2;
        continue;
      }
      pos++;
    }
    return result;
  }
  let level = 0;
  while (pos < max) {
    code2 = str.charCodeAt(pos);
    if (code2 === 32) {
      break;
    }
    if (code2 < 32 || code2 === 127) {
      break;
    }
    if (code2 === 92 && pos + 1 < max) {
      if (str.charCodeAt(pos + 1) === 32) {
        pos++;
        continue;
      }
      pos += 2;
      continue;
    }
    if (code2 === 40) {
      level++;
      if (level > 32) {
        return result;
      }
    }
    if (code2 === 41) {
      if (level === 0) {
        break;
      }
      level--;
    }
    pos++;
  }
  if (start === pos) {
    return result;
  }
  if (level !== 0) {
    return result;
  }
  result.str = unescapeAll(str.slice(start, pos));
  result.pos = pos;
  result.ok = true;
  return result;
}

// markdown-it/lib/helpers/parse_link_title.mjs
function parseLinkTitle(str, start, max, prev_state) {
  let code2;
  let pos = start;
  const state = {
    // if `true`, this is a valid link title
    ok: false,
    // if `true`, this link can be continued on the next line
    can_continue: false,
    // if `ok`, it's the position of the first character after the closing marker
    pos: 0,
    // if `ok`, it's the unescaped title
    str: "",
    // expected closing marker character code
    marker: 0
  };
  if (prev_state) {
    state.str = prev_state.str;
    state.marker = prev_state.marker;
  } else {
    if (pos >= max) {
      return state;
    }
    let marker = str.charCodeAt(pos);
    if (marker !== 34 && marker !== 39 && marker !== 40) {
      return state;
    }
    start++;
    pos++;
    if (marker === 40) {
      marker = 41;
    }
    state.marker = marker;
  }
  while (pos < max) {
    code2 = str.charCodeAt(pos);
    if (code2 === state.marker) {
      state.pos = pos + 1;
      state.str += unescapeAll(str.slice(start, pos));
      state.ok = true;
      return state;
    } else if (code2 === 40 && state.marker === 41) {
      return state;
    } else if (code2 === 92 && pos + 1 < max) {
      pos++;
    }
    pos++;
  }
  state.can_continue = true;
  state.str += unescapeAll(str.slice(start, pos));
  return state;
}

// markdown-it/lib/renderer.mjs
var default_rules = {};
default_rules.code_inline = function(tokens, idx, options, env, slf) {
  const token = tokens[idx];
  return "<code" + slf.renderAttrs(token) + ">" + escapeHtml(token.content) + "</code>";
};
default_rules.code_block = function(tokens, idx, options, env, slf) {
  const token = tokens[idx];
  return "<pre" + slf.renderAttrs(token) + "><code>" + escapeHtml(tokens[idx].content) + "</code></pre>\n";
};
default_rules.fence = function(tokens, idx, options, env, slf) {
  const token = tokens[idx];
  const info = token.info ? unescapeAll(token.info).trim() : "";
  let langName = "";
  let langAttrs = "";
  if (info) {
    const arr = info.split(/(\s+)/g);
    langName = arr[0];
    langAttrs = arr.slice(2).join("");
  }
  let highlighted;
  if (options.highlight) {
    highlighted = options.highlight(token.content, langName, langAttrs) || escapeHtml(token.content);
  } else {
    highlighted = escapeHtml(token.content);
  }
  if (highlighted.indexOf("<pre") === 0) {
    return highlighted + "\n";
  }
  if (info) {
    const i = token.attrIndex("class");
    const tmpAttrs = token.attrs ? token.attrs.slice() : [];
    if (i < 0) {
      tmpAttrs.push(["class", options.langPrefix + langName]);
    } else {
      tmpAttrs[i] = tmpAttrs[i].slice();
      tmpAttrs[i][1] += " " + options.langPrefix + langName;
    }
    const tmpToken = {
      attrs: tmpAttrs
    };
    return `<pre><code${slf.renderAttrs(tmpToken)}>${highlighted}</code></pre>
`;
  }
  return `<pre><code${slf.renderAttrs(token)}>${highlighted}</code></pre>
`;
};
default_rules.image = function(tokens, idx, options, env, slf) {
  const token = tokens[idx];
  token.attrs[token.attrIndex("alt")][1] = slf.renderInlineAsText(token.children, options, env);
  return slf.renderToken(tokens, idx, options);
};
default_rules.hardbreak = function(tokens, idx, options) {
  return options.xhtmlOut ? "<br />\n" : "<br>\n";
};
default_rules.softbreak = function(tokens, idx, options) {
  return options.breaks ? options.xhtmlOut ? "<br />\n" : "<br>\n" : "\n";
};
default_rules.text = function(tokens, idx) {
  return escapeHtml(tokens[idx].content);
};
default_rules.html_block = function(tokens, idx) {
  return tokens[idx].content;
};
default_rules.html_inline = function(tokens, idx) {
  return tokens[idx].content;
};
function Renderer() {
  this.rules = assign({}, default_rules);
}
Renderer.prototype.renderAttrs = function renderAttrs(token) {
  let i, l, result;
  if (!token.attrs) {
    return "";
  }
  result = "";
  for (i = 0, l = token.attrs.length; i < l; i++) {
    result += " " + escapeHtml(token.attrs[i][0]) + '="' + escapeHtml(token.attrs[i][1]) + '"';
  }
  return result;
};
Renderer.prototype.renderToken = function renderToken(tokens, idx, options) {
  const token = tokens[idx];
  let result = "";
  if (token.hidden) {
    return "";
  }
  if (token.block && token.nesting !== -1 && idx && tokens[idx - 1].hidden) {
    result += "\n";
  }
  result += (token.nesting === -1 ? "</" : "<") + token.tag;
  result += this.renderAttrs(token);
  if (token.nesting === 0 && options.xhtmlOut) {
    result += " /";
  }
  let needLf = false;
  if (token.block) {
    needLf = true;
    if (token.nesting === 1) {
      if (idx + 1 < tokens.length) {
        const nextToken = tokens[idx + 1];
        if (nextToken.type === "inline" || nextToken.hidden) {
          needLf = false;
        } else if (nextToken.nesting === -1 && nextToken.tag === token.tag) {
          needLf = false;
        }
      }
    }
  }
  result += needLf ? ">\n" : ">";
  return result;
};
Renderer.prototype.renderInline = function(tokens, options, env) {
  let result = "";
  const rules = this.rules;
  for (let i = 0, len = tokens.length; i < len; i++) {
    const type = tokens[i].type;
    if (typeof rules[type] !== "undefined") {
      result += rules[type](tokens, i, options, env, this);
    } else {
      result += this.renderToken(tokens, i, options);
    }
  }
  return result;
};
Renderer.prototype.renderInlineAsText = function(tokens, options, env) {
  let result = "";
  for (let i = 0, len = tokens.length; i < len; i++) {
    switch (tokens[i].type) {
      case "text":
        result += tokens[i].content;
        break;
      case "image":
        result += this.renderInlineAsText(tokens[i].children, options, env);
        break;
      case "html_inline":
      case "html_block":
        result += tokens[i].content;
        break;
      case "softbreak":
      case "hardbreak":
        result += "\n";
        break;
      default:
    }
  }
  return result;
};
Renderer.prototype.render = function(tokens, options, env) {
  let result = "";
  const rules = this.rules;
  for (let i = 0, len = tokens.length; i < len; i++) {
    const type = tokens[i].type;
    if (type === "inline") {
      result += this.renderInline(tokens[i].children, options, env);
    } else if (typeof rules[type] !== "undefined") {
      result += rules[type](tokens, i, options, env, this);
    } else {
      result += this.renderToken(tokens, i, options, env);
    }
  }
  return result;
};
var renderer_default = Renderer;

// markdown-it/lib/ruler.mjs
function Ruler() {
  this.__rules__ = [];
  this.__cache__ = null;
}
Ruler.prototype.__find__ = function(name) {
  for (let i = 0; i < this.__rules__.length; i++) {
    if (this.__rules__[i].name === name) {
      return i;
    }
  }
  return -1;
};
Ruler.prototype.__compile__ = function() {
  const self = this;
  const chains = [""];
  self.__rules__.forEach(function(rule) {
    if (!rule.enabled) {
      return;
    }
    rule.alt.forEach(function(altName) {
      if (chains.indexOf(altName) < 0) {
        chains.push(altName);
      }
    });
  });
  self.__cache__ = {};
  chains.forEach(function(chain) {
    self.__cache__[chain] = [];
    self.__rules__.forEach(function(rule) {
      if (!rule.enabled) {
        return;
      }
      if (chain && rule.alt.indexOf(chain) < 0) {
        return;
      }
      self.__cache__[chain].push(rule.fn);
    });
  });
};
Ruler.prototype.at = function(name, fn, options) {
  const index = this.__find__(name);
  const opt = options || {};
  if (index === -1) {
    throw new Error("Parser rule not found: " + name);
  }
  this.__rules__[index].fn = fn;
  this.__rules__[index].alt = opt.alt || [];
  this.__cache__ = null;
};
Ruler.prototype.before = function(beforeName, ruleName, fn, options) {
  const index = this.__find__(beforeName);
  const opt = options || {};
  if (index === -1) {
    throw new Error("Parser rule not found: " + beforeName);
  }
  this.__rules__.splice(index, 0, {
    name: ruleName,
    enabled: true,
    fn,
    alt: opt.alt || []
  });
  this.__cache__ = null;
};
Ruler.prototype.after = function(afterName, ruleName, fn, options) {
  const index = this.__find__(afterName);
  const opt = options || {};
  if (index === -1) {
    throw new Error("Parser rule not found: " + afterName);
  }
  this.__rules__.splice(index + 1, 0, {
    name: ruleName,
    enabled: true,
    fn,
    alt: opt.alt || []
  });
  this.__cache__ = null;
};
Ruler.prototype.push = function(ruleName, fn, options) {
  const opt = options || {};
  this.__rules__.push({
    name: ruleName,
    enabled: true,
    fn,
    alt: opt.alt || []
  });
  this.__cache__ = null;
};
Ruler.prototype.enable = function(list2, ignoreInvalid) {
  if (!Array.isArray(list2)) {
    list2 = [list2];
  }
  const result = [];
  list2.forEach(function(name) {
    const idx = this.__find__(name);
    if (idx < 0) {
      if (ignoreInvalid) {
        return;
      }
      throw new Error("Rules manager: invalid rule name " + name);
    }
    this.__rules__[idx].enabled = true;
    result.push(name);
  }, this);
  this.__cache__ = null;
  return result;
};
Ruler.prototype.enableOnly = function(list2, ignoreInvalid) {
  if (!Array.isArray(list2)) {
    list2 = [list2];
  }
  this.__rules__.forEach(function(rule) {
    rule.enabled = false;
  });
  this.enable(list2, ignoreInvalid);
};
Ruler.prototype.disable = function(list2, ignoreInvalid) {
  if (!Array.isArray(list2)) {
    list2 = [list2];
  }
  const result = [];
  list2.forEach(function(name) {
    const idx = this.__find__(name);
    if (idx < 0) {
      if (ignoreInvalid) {
        return;
      }
      throw new Error("Rules manager: invalid rule name " + name);
    }
    this.__rules__[idx].enabled = false;
    result.push(name);
  }, this);
  this.__cache__ = null;
  return result;
};
Ruler.prototype.getRules = function(chainName) {
  if (this.__cache__ === null) {
    this.__compile__();
  }
  return this.__cache__[chainName] || [];
};
var ruler_default = Ruler;

// markdown-it/lib/token.mjs
function Token(type, tag, nesting) {
  this.type = type;
  this.tag = tag;
  this.attrs = null;
  this.map = null;
  this.nesting = nesting;
  this.level = 0;
  this.children = null;
  this.content = "";
  this.markup = "";
  this.info = "";
  this.meta = null;
  this.block = false;
  this.hidden = false;
}
Token.prototype.attrIndex = function attrIndex(name) {
  if (!this.attrs) {
    return -1;
  }
  const attrs = this.attrs;
  for (let i = 0, len = attrs.length; i < len; i++) {
    if (attrs[i][0] === name) {
      return i;
    }
  }
  return -1;
};
Token.prototype.attrPush = function attrPush(attrData) {
  if (this.attrs) {
    this.attrs.push(attrData);
  } else {
    this.attrs = [attrData];
  }
};
Token.prototype.attrSet = function attrSet(name, value) {
  const idx = this.attrIndex(name);
  const attrData = [name, value];
  if (idx < 0) {
    this.attrPush(attrData);
  } else {
    this.attrs[idx] = attrData;
  }
};
Token.prototype.attrGet = function attrGet(name) {
  const idx = this.attrIndex(name);
  let value = null;
  if (idx >= 0) {
    value = this.attrs[idx][1];
  }
  return value;
};
Token.prototype.attrJoin = function attrJoin(name, value) {
  const idx = this.attrIndex(name);
  if (idx < 0) {
    this.attrPush([name, value]);
  } else {
    this.attrs[idx][1] = this.attrs[idx][1] + " " + value;
  }
};
var token_default = Token;

// markdown-it/lib/rules_core/state_core.mjs
function StateCore(src, md, env) {
  this.src = src;
  this.env = env;
  this.tokens = [];
  this.inlineMode = false;
  this.md = md;
}
StateCore.prototype.Token = token_default;
var state_core_default = StateCore;

// markdown-it/lib/rules_core/normalize.mjs
var NEWLINES_RE = /\r\n?|\n/g;
var NULL_RE = /\0/g;
function normalize(state) {
  let str;
  str = state.src.replace(NEWLINES_RE, "\n");
  str = str.replace(NULL_RE, "�");
  state.src = str;
}

// markdown-it/lib/rules_core/block.mjs
function block(state) {
  let token;
  if (state.inlineMode) {
    token = new state.Token("inline", "", 0);
    token.content = state.src;
    token.map = [0, 1];
    token.children = [];
    state.tokens.push(token);
  } else {
    state.md.block.parse(state.src, state.md, state.env, state.tokens);
  }
}

// markdown-it/lib/rules_core/inline.mjs
function inline(state) {
  const tokens = state.tokens;
  for (let i = 0, l = tokens.length; i < l; i++) {
    const tok = tokens[i];
    if (tok.type === "inline") {
      state.md.inline.parse(tok.content, state.md, state.env, tok.children);
    }
  }
}

// markdown-it/lib/rules_core/linkify.mjs
function isLinkOpen(str) {
  return /^<a[>\s]/i.test(str);
}
function isLinkClose(str) {
  return /^<\/a\s*>/i.test(str);
}
function linkify(state) {
  const blockTokens = state.tokens;
  if (!state.md.options.linkify) {
    return;
  }
  for (let j = 0, l = blockTokens.length; j < l; j++) {
    if (blockTokens[j].type !== "inline" || !state.md.linkify.pretest(blockTokens[j].content)) {
      continue;
    }
    const tokens = blockTokens[j].children;
    const replacements = [];
    let htmlLinkLevel = 0;
    for (let i = tokens.length - 1; i >= 0; i--) {
      const currentToken = tokens[i];
      if (currentToken.type === "link_close") {
        i--;
        while (tokens[i].level !== currentToken.level && tokens[i].type !== "link_open") {
          i--;
        }
        continue;
      }
      if (currentToken.type === "html_inline") {
        if (isLinkOpen(currentToken.content) && htmlLinkLevel > 0) {
          htmlLinkLevel--;
        }
        if (isLinkClose(currentToken.content)) {
          htmlLinkLevel++;
        }
      }
      if (htmlLinkLevel > 0) {
        continue;
      }
      if (currentToken.type === "text" && state.md.linkify.test(currentToken.content)) {
        const text2 = currentToken.content;
        let links = state.md.linkify.match(text2);
        const nodes = [];
        let level = currentToken.level;
        let lastPos = 0;
        if (links.length > 0 && links[0].index === 0 && i > 0 && tokens[i - 1].type === "text_special") {
          links = links.slice(1);
        }
        for (let ln = 0; ln < links.length; ln++) {
          const url = links[ln].url;
          const fullUrl = state.md.normalizeLink(url);
          if (!state.md.validateLink(fullUrl)) {
            continue;
          }
          let urlText = links[ln].text;
          if (!links[ln].schema) {
            urlText = state.md.normalizeLinkText("http://" + urlText).replace(/^http:\/\//, "");
          } else if (links[ln].schema === "mailto:" && !/^mailto:/i.test(urlText)) {
            urlText = state.md.normalizeLinkText("mailto:" + urlText).replace(/^mailto:/, "");
          } else {
            urlText = state.md.normalizeLinkText(urlText);
          }
          const pos = links[ln].index;
          if (pos > lastPos) {
            const token = new state.Token("text", "", 0);
            token.content = text2.slice(lastPos, pos);
            token.level = level;
            nodes.push(token);
          }
          const token_o = new state.Token("link_open", "a", 1);
          token_o.attrs = [["href", fullUrl]];
          token_o.level = level++;
          token_o.markup = "linkify";
          token_o.info = "auto";
          nodes.push(token_o);
          const token_t = new state.Token("text", "", 0);
          token_t.content = urlText;
          token_t.level = level;
          nodes.push(token_t);
          const token_c = new state.Token("link_close", "a", -1);
          token_c.level = --level;
          token_c.markup = "linkify";
          token_c.info = "auto";
          nodes.push(token_c);
          lastPos = links[ln].lastIndex;
        }
        if (lastPos < text2.length) {
          const token = new state.Token("text", "", 0);
          token.content = text2.slice(lastPos);
          token.level = level;
          nodes.push(token);
        }
        replacements.push({ index: i, nodes });
      }
    }
    if (replacements.length > 0) {
      let newTokensLength = tokens.length;
      for (const replacement of replacements) {
        newTokensLength += replacement.nodes.length - 1;
      }
      const newTokens = new Array(newTokensLength);
      let replacementIndex = 0;
      let newTokenIndex = 0;
      replacements.reverse();
      for (let i = 0; i < tokens.length; i++) {
        const replacement = replacements[replacementIndex];
        if (replacement?.index === i) {
          for (const node of replacement.nodes) {
            newTokens[newTokenIndex++] = node;
          }
          replacementIndex++;
        } else {
          newTokens[newTokenIndex++] = tokens[i];
        }
      }
      blockTokens[j].children = newTokens;
    }
  }
}

// markdown-it/lib/rules_core/replacements.mjs
var RARE_RE = /\+-|\.\.|\?\?\?\?|!!!!|,,|--/;
var SCOPED_ABBR_TEST_RE = /\((c|tm|r)\)/i;
var SCOPED_ABBR_RE = /\((c|tm|r)\)/ig;
var SCOPED_ABBR = {
  c: "©",
  r: "®",
  tm: "™"
};
function replaceFn(match2, name) {
  return SCOPED_ABBR[name.toLowerCase()];
}
function replace_scoped(inlineTokens) {
  let inside_autolink = 0;
  for (let i = inlineTokens.length - 1; i >= 0; i--) {
    const token = inlineTokens[i];
    if (token.type === "text" && !inside_autolink) {
      token.content = token.content.replace(SCOPED_ABBR_RE, replaceFn);
    }
    if (token.type === "link_open" && token.info === "auto") {
      inside_autolink--;
    }
    if (token.type === "link_close" && token.info === "auto") {
      inside_autolink++;
    }
  }
}
function replace_rare(inlineTokens) {
  let inside_autolink = 0;
  for (let i = inlineTokens.length - 1; i >= 0; i--) {
    const token = inlineTokens[i];
    if (token.type === "text" && !inside_autolink) {
      if (RARE_RE.test(token.content)) {
        token.content = token.content.replace(/\+-/g, "±").replace(/\.{2,}/g, "…").replace(/([?!])…/g, "$1..").replace(/([?!]){4,}/g, "$1$1$1").replace(/,{2,}/g, ",").replace(/(^|[^-])---(?=[^-]|$)/mg, "$1—").replace(/(^|\s)--(?=\s|$)/mg, "$1–").replace(/(^|[^-\s])--(?=[^-\s]|$)/mg, "$1–");
      }
    }
    if (token.type === "link_open" && token.info === "auto") {
      inside_autolink--;
    }
    if (token.type === "link_close" && token.info === "auto") {
      inside_autolink++;
    }
  }
}
function replace(state) {
  let blkIdx;
  if (!state.md.options.typographer) {
    return;
  }
  for (blkIdx = state.tokens.length - 1; blkIdx >= 0; blkIdx--) {
    if (state.tokens[blkIdx].type !== "inline") {
      continue;
    }
    if (SCOPED_ABBR_TEST_RE.test(state.tokens[blkIdx].content)) {
      replace_scoped(state.tokens[blkIdx].children);
    }
    if (RARE_RE.test(state.tokens[blkIdx].content)) {
      replace_rare(state.tokens[blkIdx].children);
    }
  }
}

// markdown-it/lib/rules_core/smartquotes.mjs
var QUOTE_TEST_RE = /['"]/;
var QUOTE_RE = /['"]/g;
var APOSTROPHE = "’";
var MAX_OPENERS = 1e3;
function truncateStack(stack, heads, length) {
  while (stack.length > length) {
    const item = stack.pop();
    if (item.isSingleQuote) {
      heads.single = item.prevSameQuoteIdx;
    } else {
      heads.double = item.prevSameQuoteIdx;
    }
  }
}
function addReplacement(replacements, tokenIdx, pos, ch) {
  if (!replacements[tokenIdx]) {
    replacements[tokenIdx] = [];
  }
  replacements[tokenIdx].push({ pos, ch });
}
function applyReplacements(str, replacements) {
  let result = "";
  let lastPos = 0;
  replacements.sort((a, b) => a.pos - b.pos);
  for (let i = 0; i < replacements.length; i++) {
    const replacement = replacements[i];
    result += str.slice(lastPos, replacement.pos) + replacement.ch;
    lastPos = replacement.pos + 1;
  }
  return result + str.slice(lastPos);
}
function process_inlines(tokens, state) {
  let j;
  const stack = [];
  const heads = { single: -1, double: -1 };
  const replacements = {};
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    const thisLevel = tokens[i].level;
    for (j = stack.length - 1; j >= 0; j--) {
      if (stack[j].level <= thisLevel) {
        break;
      }
    }
    truncateStack(stack, heads, j + 1);
    if (token.type !== "text") {
      continue;
    }
    const text2 = token.content;
    let pos = 0;
    const max = text2.length;
    OUTER:
      while (pos < max) {
        QUOTE_RE.lastIndex = pos;
        const t = QUOTE_RE.exec(text2);
        if (!t) {
          break;
        }
        let canOpen = true;
        let canClose = true;
        pos = t.index + 1;
        const isSingle = t[0] === "'";
        let lastChar = 32;
        if (t.index - 1 >= 0) {
          lastChar = text2.charCodeAt(t.index - 1);
        } else {
          for (j = i - 1; j >= 0; j--) {
            if (tokens[j].type === "softbreak" || tokens[j].type === "hardbreak") break;
            if (!tokens[j].content) continue;
            lastChar = tokens[j].content.charCodeAt(tokens[j].content.length - 1);
            break;
          }
        }
        let nextChar = 32;
        if (pos < max) {
          nextChar = text2.charCodeAt(pos);
        } else {
          for (j = i + 1; j < tokens.length; j++) {
            if (tokens[j].type === "softbreak" || tokens[j].type === "hardbreak") break;
            if (!tokens[j].content) continue;
            nextChar = tokens[j].content.charCodeAt(0);
            break;
          }
        }
        const isLastPunctChar = isMdAsciiPunct(lastChar) || isPunctCharCode(lastChar);
        const isNextPunctChar = isMdAsciiPunct(nextChar) || isPunctCharCode(nextChar);
        const isLastWhiteSpace = isWhiteSpace(lastChar);
        const isNextWhiteSpace = isWhiteSpace(nextChar);
        if (isNextWhiteSpace) {
          canOpen = false;
        } else if (isNextPunctChar) {
          if (!(isLastWhiteSpace || isLastPunctChar)) {
            canOpen = false;
          }
        }
        if (isLastWhiteSpace) {
          canClose = false;
        } else if (isLastPunctChar) {
          if (!(isNextWhiteSpace || isNextPunctChar)) {
            canClose = false;
          }
        }
        if (nextChar === 34 && t[0] === '"') {
          if (lastChar >= 48 && lastChar <= 57) {
            canClose = canOpen = false;
          }
        }
        if (canOpen && canClose) {
          canOpen = isLastPunctChar;
          canClose = isNextPunctChar;
        }
        if (!canOpen && !canClose) {
          if (isSingle) {
            addReplacement(replacements, i, t.index, APOSTROPHE);
          }
          continue;
        }
        if (canClose) {
          j = isSingle ? heads.single : heads.double;
          if (j >= 0 && stack[j].level === thisLevel) {
            const item = stack[j];
            let openQuote;
            let closeQuote;
            if (isSingle) {
              openQuote = state.md.options.quotes[2];
              closeQuote = state.md.options.quotes[3];
            } else {
              openQuote = state.md.options.quotes[0];
              closeQuote = state.md.options.quotes[1];
            }
            addReplacement(replacements, i, t.index, closeQuote);
            addReplacement(replacements, item.tokenIdx, item.contentPos, openQuote);
            truncateStack(stack, heads, j);
            continue OUTER;
          }
        }
        if (canOpen) {
          if (stack.length >= MAX_OPENERS) {
            return;
          }
          stack.push({
            tokenIdx: i,
            contentPos: t.index,
            isSingleQuote: isSingle,
            level: thisLevel,
            // stack index of the previous opener of the same quote type, -1 if none
            prevSameQuoteIdx: isSingle ? heads.single : heads.double
          });
          if (isSingle) {
            heads.single = stack.length - 1;
          } else {
            heads.double = stack.length - 1;
          }
        } else if (canClose && isSingle) {
          addReplacement(replacements, i, t.index, APOSTROPHE);
        }
      }
  }
  Object.keys(replacements).forEach(function(tokenIdx) {
    tokens[tokenIdx].content = applyReplacements(tokens[tokenIdx].content, replacements[tokenIdx]);
  });
}
function smartquotes(state) {
  if (!state.md.options.typographer) {
    return;
  }
  for (let blkIdx = state.tokens.length - 1; blkIdx >= 0; blkIdx--) {
    if (state.tokens[blkIdx].type !== "inline" || !QUOTE_TEST_RE.test(state.tokens[blkIdx].content)) {
      continue;
    }
    process_inlines(state.tokens[blkIdx].children, state);
  }
}

// markdown-it/lib/rules_core/text_join.mjs
function text_join(state) {
  let curr, last;
  const blockTokens = state.tokens;
  const l = blockTokens.length;
  for (let j = 0; j < l; j++) {
    if (blockTokens[j].type !== "inline") continue;
    const tokens = blockTokens[j].children;
    const max = tokens.length;
    for (curr = 0; curr < max; curr++) {
      if (tokens[curr].type === "text_special") {
        tokens[curr].type = "text";
      }
    }
    for (curr = last = 0; curr < max; curr++) {
      if (tokens[curr].type === "text" && curr + 1 < max && tokens[curr + 1].type === "text") {
        tokens[curr + 1].content = tokens[curr].content + tokens[curr + 1].content;
      } else {
        if (curr !== last) {
          tokens[last] = tokens[curr];
        }
        last++;
      }
    }
    if (curr !== last) {
      tokens.length = last;
    }
  }
}

// markdown-it/lib/parser_core.mjs
var _rules = [
  ["normalize", normalize],
  ["block", block],
  ["inline", inline],
  ["linkify", linkify],
  ["replacements", replace],
  ["smartquotes", smartquotes],
  // `text_join` finds `text_special` tokens (for escape sequences)
  // and joins them with the rest of the text
  ["text_join", text_join]
];
function Core() {
  this.ruler = new ruler_default();
  for (let i = 0; i < _rules.length; i++) {
    this.ruler.push(_rules[i][0], _rules[i][1]);
  }
}
Core.prototype.process = function(state) {
  const rules = this.ruler.getRules("");
  for (let i = 0, l = rules.length; i < l; i++) {
    rules[i](state);
  }
};
Core.prototype.State = state_core_default;
var parser_core_default = Core;

// markdown-it/lib/rules_block/state_block.mjs
function StateBlock(src, md, env, tokens) {
  this.src = src;
  this.md = md;
  this.env = env;
  this.tokens = tokens;
  this.bMarks = [];
  this.eMarks = [];
  this.tShift = [];
  this.sCount = [];
  this.bsCount = [];
  this.blkIndent = 0;
  this.line = 0;
  this.lineMax = 0;
  this.tight = false;
  this.ddIndent = -1;
  this.listIndent = -1;
  this.parentType = "root";
  this.level = 0;
  const s = this.src;
  for (let start = 0, pos = 0, indent = 0, offset = 0, len = s.length, indent_found = false; pos < len; pos++) {
    const ch = s.charCodeAt(pos);
    if (!indent_found) {
      if (isSpace(ch)) {
        indent++;
        if (ch === 9) {
          offset += 4 - offset % 4;
        } else {
          offset++;
        }
        continue;
      } else {
        indent_found = true;
      }
    }
    if (ch === 10 || pos === len - 1) {
      if (ch !== 10) {
        pos++;
      }
      this.bMarks.push(start);
      this.eMarks.push(pos);
      this.tShift.push(indent);
      this.sCount.push(offset);
      this.bsCount.push(0);
      indent_found = false;
      indent = 0;
      offset = 0;
      start = pos + 1;
    }
  }
  this.bMarks.push(s.length);
  this.eMarks.push(s.length);
  this.tShift.push(0);
  this.sCount.push(0);
  this.bsCount.push(0);
  this.lineMax = this.bMarks.length - 1;
}
StateBlock.prototype.push = function(type, tag, nesting) {
  const token = new token_default(type, tag, nesting);
  token.block = true;
  if (nesting < 0) this.level--;
  token.level = this.level;
  if (nesting > 0) this.level++;
  this.tokens.push(token);
  return token;
};
StateBlock.prototype.isEmpty = function isEmpty(line) {
  return this.bMarks[line] + this.tShift[line] >= this.eMarks[line];
};
StateBlock.prototype.skipEmptyLines = function skipEmptyLines(from) {
  for (let max = this.lineMax; from < max; from++) {
    if (this.bMarks[from] + this.tShift[from] < this.eMarks[from]) {
      break;
    }
  }
  return from;
};
StateBlock.prototype.skipSpaces = function skipSpaces(pos) {
  for (let max = this.src.length; pos < max; pos++) {
    const ch = this.src.charCodeAt(pos);
    if (!isSpace(ch)) {
      break;
    }
  }
  return pos;
};
StateBlock.prototype.skipSpacesBack = function skipSpacesBack(pos, min) {
  if (pos <= min) {
    return pos;
  }
  while (pos > min) {
    if (!isSpace(this.src.charCodeAt(--pos))) {
      return pos + 1;
    }
  }
  return pos;
};
StateBlock.prototype.skipChars = function skipChars(pos, code2) {
  for (let max = this.src.length; pos < max; pos++) {
    if (this.src.charCodeAt(pos) !== code2) {
      break;
    }
  }
  return pos;
};
StateBlock.prototype.skipCharsBack = function skipCharsBack(pos, code2, min) {
  if (pos <= min) {
    return pos;
  }
  while (pos > min) {
    if (code2 !== this.src.charCodeAt(--pos)) {
      return pos + 1;
    }
  }
  return pos;
};
StateBlock.prototype.getLines = function getLines(begin, end, indent, keepLastLF) {
  if (begin >= end) {
    return "";
  }
  const queue = new Array(end - begin);
  for (let i = 0, line = begin; line < end; line++, i++) {
    let lineIndent = 0;
    const lineStart = this.bMarks[line];
    let first = lineStart;
    let last;
    if (line + 1 < end || keepLastLF) {
      last = this.eMarks[line] + 1;
    } else {
      last = this.eMarks[line];
    }
    while (first < last && lineIndent < indent) {
      const ch = this.src.charCodeAt(first);
      if (isSpace(ch)) {
        if (ch === 9) {
          lineIndent += 4 - (lineIndent + this.bsCount[line]) % 4;
        } else {
          lineIndent++;
        }
      } else if (first - lineStart < this.tShift[line]) {
        lineIndent++;
      } else {
        break;
      }
      first++;
    }
    if (lineIndent > indent) {
      queue[i] = new Array(lineIndent - indent + 1).join(" ") + this.src.slice(first, last);
    } else {
      queue[i] = this.src.slice(first, last);
    }
  }
  return queue.join("");
};
StateBlock.prototype.Token = token_default;
var state_block_default = StateBlock;

// markdown-it/lib/rules_block/table.mjs
var MAX_AUTOCOMPLETED_CELLS = 65536;
function getLine(state, line) {
  const pos = state.bMarks[line] + state.tShift[line];
  const max = state.eMarks[line];
  return state.src.slice(pos, max);
}
function escapedSplit(str) {
  const result = [];
  const max = str.length;
  let pos = 0;
  let ch = str.charCodeAt(pos);
  let isEscaped = false;
  let lastPos = 0;
  let current = "";
  while (pos < max) {
    if (ch === 124) {
      if (!isEscaped) {
        result.push(current + str.substring(lastPos, pos));
        current = "";
        lastPos = pos + 1;
      } else {
        current += str.substring(lastPos, pos - 1);
        lastPos = pos;
      }
    }
    isEscaped = ch === 92;
    pos++;
    ch = str.charCodeAt(pos);
  }
  result.push(current + str.substring(lastPos));
  return result;
}
function table(state, startLine, endLine, silent) {
  if (startLine + 2 > endLine) {
    return false;
  }
  let nextLine = startLine + 1;
  if (state.sCount[nextLine] < state.blkIndent) {
    return false;
  }
  if (state.sCount[nextLine] - state.blkIndent >= 4) {
    return false;
  }
  let pos = state.bMarks[nextLine] + state.tShift[nextLine];
  if (pos >= state.eMarks[nextLine]) {
    return false;
  }
  const firstCh = state.src.charCodeAt(pos++);
  if (firstCh !== 124 && firstCh !== 45 && firstCh !== 58) {
    return false;
  }
  if (pos >= state.eMarks[nextLine]) {
    return false;
  }
  const secondCh = state.src.charCodeAt(pos++);
  if (secondCh !== 124 && secondCh !== 45 && secondCh !== 58 && !isSpace(secondCh)) {
    return false;
  }
  if (firstCh === 45 && isSpace(secondCh)) {
    return false;
  }
  while (pos < state.eMarks[nextLine]) {
    const ch = state.src.charCodeAt(pos);
    if (ch !== 124 && ch !== 45 && ch !== 58 && !isSpace(ch)) {
      return false;
    }
    pos++;
  }
  let lineText = getLine(state, startLine + 1);
  let columns = lineText.split("|");
  const aligns = [];
  for (let i = 0; i < columns.length; i++) {
    const t = columns[i].trim();
    if (!t) {
      if (i === 0 || i === columns.length - 1) {
        continue;
      } else {
        return false;
      }
    }
    if (!/^:?-+:?$/.test(t)) {
      return false;
    }
    if (t.charCodeAt(t.length - 1) === 58) {
      aligns.push(t.charCodeAt(0) === 58 ? "center" : "right");
    } else if (t.charCodeAt(0) === 58) {
      aligns.push("left");
    } else {
      aligns.push("");
    }
  }
  lineText = getLine(state, startLine).trim();
  if (lineText.indexOf("|") === -1) {
    return false;
  }
  if (state.sCount[startLine] - state.blkIndent >= 4) {
    return false;
  }
  columns = escapedSplit(lineText);
  if (columns.length && columns[0] === "") columns.shift();
  if (columns.length && columns[columns.length - 1] === "") columns.pop();
  const columnCount = columns.length;
  if (columnCount === 0 || columnCount !== aligns.length) {
    return false;
  }
  if (silent) {
    return true;
  }
  const oldParentType = state.parentType;
  state.parentType = "table";
  const terminatorRules = state.md.block.ruler.getRules("blockquote");
  const token_to = state.push("table_open", "table", 1);
  const tableLines = [startLine, 0];
  token_to.map = tableLines;
  const token_tho = state.push("thead_open", "thead", 1);
  token_tho.map = [startLine, startLine + 1];
  const token_htro = state.push("tr_open", "tr", 1);
  token_htro.map = [startLine, startLine + 1];
  for (let i = 0; i < columns.length; i++) {
    const token_ho = state.push("th_open", "th", 1);
    if (aligns[i]) {
      token_ho.attrs = [["style", "text-align:" + aligns[i]]];
    }
    const token_il = state.push("inline", "", 0);
    token_il.content = columns[i].trim();
    token_il.children = [];
    state.push("th_close", "th", -1);
  }
  state.push("tr_close", "tr", -1);
  state.push("thead_close", "thead", -1);
  let tbodyLines;
  let autocompletedCells = 0;
  for (nextLine = startLine + 2; nextLine < endLine; nextLine++) {
    if (state.sCount[nextLine] < state.blkIndent) {
      break;
    }
    let terminate = false;
    for (let i = 0, l = terminatorRules.length; i < l; i++) {
      if (terminatorRules[i](state, nextLine, endLine, true)) {
        terminate = true;
        break;
      }
    }
    if (terminate) {
      break;
    }
    lineText = getLine(state, nextLine).trim();
    if (!lineText) {
      break;
    }
    if (state.sCount[nextLine] - state.blkIndent >= 4) {
      break;
    }
    columns = escapedSplit(lineText);
    if (columns.length && columns[0] === "") columns.shift();
    if (columns.length && columns[columns.length - 1] === "") columns.pop();
    autocompletedCells += columnCount - columns.length;
    if (autocompletedCells > MAX_AUTOCOMPLETED_CELLS) {
      break;
    }
    if (nextLine === startLine + 2) {
      const token_tbo = state.push("tbody_open", "tbody", 1);
      token_tbo.map = tbodyLines = [startLine + 2, 0];
    }
    const token_tro = state.push("tr_open", "tr", 1);
    token_tro.map = [nextLine, nextLine + 1];
    for (let i = 0; i < columnCount; i++) {
      const token_tdo = state.push("td_open", "td", 1);
      if (aligns[i]) {
        token_tdo.attrs = [["style", "text-align:" + aligns[i]]];
      }
      const token_il = state.push("inline", "", 0);
      token_il.content = columns[i] ? columns[i].trim() : "";
      token_il.children = [];
      state.push("td_close", "td", -1);
    }
    state.push("tr_close", "tr", -1);
  }
  if (tbodyLines) {
    state.push("tbody_close", "tbody", -1);
    tbodyLines[1] = nextLine;
  }
  state.push("table_close", "table", -1);
  tableLines[1] = nextLine;
  state.parentType = oldParentType;
  state.line = nextLine;
  return true;
}

// markdown-it/lib/rules_block/code.mjs
function code(state, startLine, endLine) {
  if (state.sCount[startLine] - state.blkIndent < 4) {
    return false;
  }
  let nextLine = startLine + 1;
  let last = nextLine;
  while (nextLine < endLine) {
    if (state.isEmpty(nextLine)) {
      nextLine++;
      continue;
    }
    if (state.sCount[nextLine] - state.blkIndent >= 4) {
      nextLine++;
      last = nextLine;
      continue;
    }
    break;
  }
  state.line = last;
  const token = state.push("code_block", "code", 0);
  token.content = state.getLines(startLine, last, 4 + state.blkIndent, false) + "\n";
  token.map = [startLine, state.line];
  return true;
}

// markdown-it/lib/rules_block/fence.mjs
function fence(state, startLine, endLine, silent) {
  let pos = state.bMarks[startLine] + state.tShift[startLine];
  let max = state.eMarks[startLine];
  if (state.sCount[startLine] - state.blkIndent >= 4) {
    return false;
  }
  if (pos + 3 > max) {
    return false;
  }
  const marker = state.src.charCodeAt(pos);
  if (marker !== 126 && marker !== 96) {
    return false;
  }
  let mem = pos;
  pos = state.skipChars(pos, marker);
  let len = pos - mem;
  if (len < 3) {
    return false;
  }
  const markup = state.src.slice(mem, pos);
  const params = state.src.slice(pos, max);
  if (marker === 96) {
    if (params.indexOf(String.fromCharCode(marker)) >= 0) {
      return false;
    }
  }
  if (silent) {
    return true;
  }
  let nextLine = startLine;
  let haveEndMarker = false;
  for (; ; ) {
    nextLine++;
    if (nextLine >= endLine) {
      break;
    }
    pos = mem = state.bMarks[nextLine] + state.tShift[nextLine];
    max = state.eMarks[nextLine];
    if (pos < max && state.sCount[nextLine] < state.blkIndent) {
      break;
    }
    if (state.src.charCodeAt(pos) !== marker) {
      continue;
    }
    if (state.sCount[nextLine] - state.blkIndent >= 4) {
      continue;
    }
    pos = state.skipChars(pos, marker);
    if (pos - mem < len) {
      continue;
    }
    pos = state.skipSpaces(pos);
    if (pos < max) {
      continue;
    }
    haveEndMarker = true;
    break;
  }
  len = state.sCount[startLine];
  state.line = nextLine + (haveEndMarker ? 1 : 0);
  const token = state.push("fence", "code", 0);
  token.info = params;
  token.content = state.getLines(startLine + 1, nextLine, len, true);
  token.markup = markup;
  token.map = [startLine, state.line];
  return true;
}

// markdown-it/lib/rules_block/blockquote.mjs
function blockquote(state, startLine, endLine, silent) {
  let pos = state.bMarks[startLine] + state.tShift[startLine];
  let max = state.eMarks[startLine];
  const oldLineMax = state.lineMax;
  if (state.sCount[startLine] - state.blkIndent >= 4) {
    return false;
  }
  if (state.src.charCodeAt(pos) !== 62) {
    return false;
  }
  if (silent) {
    return true;
  }
  const oldBMarks = [];
  const oldBSCount = [];
  const oldSCount = [];
  const oldTShift = [];
  const terminatorRules = state.md.block.ruler.getRules("blockquote");
  const oldParentType = state.parentType;
  state.parentType = "blockquote";
  let lastLineEmpty = false;
  let nextLine;
  for (nextLine = startLine; nextLine < endLine; nextLine++) {
    const isOutdented = state.sCount[nextLine] < state.blkIndent;
    pos = state.bMarks[nextLine] + state.tShift[nextLine];
    max = state.eMarks[nextLine];
    if (pos >= max) {
      break;
    }
    if (state.src.charCodeAt(pos++) === 62 && !isOutdented) {
      let initial = state.sCount[nextLine] + 1;
      let spaceAfterMarker;
      let adjustTab;
      if (state.src.charCodeAt(pos) === 32) {
        pos++;
        initial++;
        adjustTab = false;
        spaceAfterMarker = true;
      } else if (state.src.charCodeAt(pos) === 9) {
        spaceAfterMarker = true;
        if ((state.bsCount[nextLine] + initial) % 4 === 3) {
          pos++;
          initial++;
          adjustTab = false;
        } else {
          adjustTab = true;
        }
      } else {
        spaceAfterMarker = false;
      }
      let offset = initial;
      oldBMarks.push(state.bMarks[nextLine]);
      state.bMarks[nextLine] = pos;
      while (pos < max) {
        const ch = state.src.charCodeAt(pos);
        if (isSpace(ch)) {
          if (ch === 9) {
            offset += 4 - (offset + state.bsCount[nextLine] + (adjustTab ? 1 : 0)) % 4;
          } else {
            offset++;
          }
        } else {
          break;
        }
        pos++;
      }
      lastLineEmpty = pos >= max;
      oldBSCount.push(state.bsCount[nextLine]);
      state.bsCount[nextLine] = state.sCount[nextLine] + 1 + (spaceAfterMarker ? 1 : 0);
      oldSCount.push(state.sCount[nextLine]);
      state.sCount[nextLine] = offset - initial;
      oldTShift.push(state.tShift[nextLine]);
      state.tShift[nextLine] = pos - state.bMarks[nextLine];
      continue;
    }
    if (lastLineEmpty) {
      break;
    }
    let terminate = false;
    for (let i = 0, l = terminatorRules.length; i < l; i++) {
      if (terminatorRules[i](state, nextLine, endLine, true)) {
        terminate = true;
        break;
      }
    }
    if (terminate) {
      state.lineMax = nextLine;
      if (state.blkIndent !== 0) {
        oldBMarks.push(state.bMarks[nextLine]);
        oldBSCount.push(state.bsCount[nextLine]);
        oldTShift.push(state.tShift[nextLine]);
        oldSCount.push(state.sCount[nextLine]);
        state.sCount[nextLine] -= state.blkIndent;
      }
      break;
    }
    oldBMarks.push(state.bMarks[nextLine]);
    oldBSCount.push(state.bsCount[nextLine]);
    oldTShift.push(state.tShift[nextLine]);
    oldSCount.push(state.sCount[nextLine]);
    state.sCount[nextLine] = -1;
  }
  const oldIndent = state.blkIndent;
  state.blkIndent = 0;
  const token_o = state.push("blockquote_open", "blockquote", 1);
  token_o.markup = ">";
  const lines = [startLine, 0];
  token_o.map = lines;
  state.md.block.tokenize(state, startLine, nextLine);
  const token_c = state.push("blockquote_close", "blockquote", -1);
  token_c.markup = ">";
  state.lineMax = oldLineMax;
  state.parentType = oldParentType;
  lines[1] = state.line;
  for (let i = 0; i < oldTShift.length; i++) {
    state.bMarks[i + startLine] = oldBMarks[i];
    state.tShift[i + startLine] = oldTShift[i];
    state.sCount[i + startLine] = oldSCount[i];
    state.bsCount[i + startLine] = oldBSCount[i];
  }
  state.blkIndent = oldIndent;
  return true;
}

// markdown-it/lib/rules_block/hr.mjs
function hr(state, startLine, endLine, silent) {
  const max = state.eMarks[startLine];
  if (state.sCount[startLine] - state.blkIndent >= 4) {
    return false;
  }
  let pos = state.bMarks[startLine] + state.tShift[startLine];
  const marker = state.src.charCodeAt(pos++);
  if (marker !== 42 && marker !== 45 && marker !== 95) {
    return false;
  }
  let cnt = 1;
  while (pos < max) {
    const ch = state.src.charCodeAt(pos++);
    if (ch !== marker && !isSpace(ch)) {
      return false;
    }
    if (ch === marker) {
      cnt++;
    }
  }
  if (cnt < 3) {
    return false;
  }
  if (silent) {
    return true;
  }
  state.line = startLine + 1;
  const token = state.push("hr", "hr", 0);
  token.map = [startLine, state.line];
  token.markup = Array(cnt + 1).join(String.fromCharCode(marker));
  return true;
}

// markdown-it/lib/rules_block/list.mjs
function skipBulletListMarker(state, startLine) {
  const max = state.eMarks[startLine];
  let pos = state.bMarks[startLine] + state.tShift[startLine];
  const marker = state.src.charCodeAt(pos++);
  if (marker !== 42 && marker !== 45 && marker !== 43) {
    return -1;
  }
  if (pos < max) {
    const ch = state.src.charCodeAt(pos);
    if (!isSpace(ch)) {
      return -1;
    }
  }
  return pos;
}
function skipOrderedListMarker(state, startLine) {
  const start = state.bMarks[startLine] + state.tShift[startLine];
  const max = state.eMarks[startLine];
  let pos = start;
  if (pos + 1 >= max) {
    return -1;
  }
  let ch = state.src.charCodeAt(pos++);
  if (ch < 48 || ch > 57) {
    return -1;
  }
  for (; ; ) {
    if (pos >= max) {
      return -1;
    }
    ch = state.src.charCodeAt(pos++);
    if (ch >= 48 && ch <= 57) {
      if (pos - start >= 10) {
        return -1;
      }
      continue;
    }
    if (ch === 41 || ch === 46) {
      break;
    }
    return -1;
  }
  if (pos < max) {
    ch = state.src.charCodeAt(pos);
    if (!isSpace(ch)) {
      return -1;
    }
  }
  return pos;
}
function markTightParagraphs(state, idx) {
  const level = state.level + 2;
  for (let i = idx + 2, l = state.tokens.length - 2; i < l; i++) {
    if (state.tokens[i].level === level && state.tokens[i].type === "paragraph_open") {
      state.tokens[i + 2].hidden = true;
      state.tokens[i].hidden = true;
      i += 2;
    }
  }
}
function list(state, startLine, endLine, silent) {
  let max, pos, start, token;
  let nextLine = startLine;
  let tight = true;
  if (state.sCount[nextLine] - state.blkIndent >= 4) {
    return false;
  }
  if (state.listIndent >= 0 && state.sCount[nextLine] - state.listIndent >= 4 && state.sCount[nextLine] < state.blkIndent) {
    return false;
  }
  let isTerminatingParagraph = false;
  if (silent && state.parentType === "paragraph") {
    if (state.sCount[nextLine] >= state.blkIndent) {
      isTerminatingParagraph = true;
    }
  }
  let isOrdered;
  let markerValue;
  let posAfterMarker;
  if ((posAfterMarker = skipOrderedListMarker(state, nextLine)) >= 0) {
    isOrdered = true;
    start = state.bMarks[nextLine] + state.tShift[nextLine];
    markerValue = Number(state.src.slice(start, posAfterMarker - 1));
    if (isTerminatingParagraph && markerValue !== 1) return false;
  } else if ((posAfterMarker = skipBulletListMarker(state, nextLine)) >= 0) {
    isOrdered = false;
  } else {
    return false;
  }
  if (isTerminatingParagraph) {
    if (state.skipSpaces(posAfterMarker) >= state.eMarks[nextLine]) return false;
  }
  if (silent) {
    return true;
  }
  const markerCharCode = state.src.charCodeAt(posAfterMarker - 1);
  const listTokIdx = state.tokens.length;
  if (isOrdered) {
    token = state.push("ordered_list_open", "ol", 1);
    if (markerValue !== 1) {
      token.attrs = [["start", markerValue]];
    }
  } else {
    token = state.push("bullet_list_open", "ul", 1);
  }
  const listLines = [nextLine, 0];
  token.map = listLines;
  token.markup = String.fromCharCode(markerCharCode);
  let prevEmptyEnd = false;
  const terminatorRules = state.md.block.ruler.getRules("list");
  const oldParentType = state.parentType;
  state.parentType = "list";
  while (nextLine < endLine) {
    pos = posAfterMarker;
    max = state.eMarks[nextLine];
    const initial = state.sCount[nextLine] + posAfterMarker - (state.bMarks[nextLine] + state.tShift[nextLine]);
    let offset = initial;
    while (pos < max) {
      const ch = state.src.charCodeAt(pos);
      if (ch === 9) {
        offset += 4 - (offset + state.bsCount[nextLine]) % 4;
      } else if (ch === 32) {
        offset++;
      } else {
        break;
      }
      pos++;
    }
    const contentStart = pos;
    let indentAfterMarker;
    if (contentStart >= max) {
      indentAfterMarker = 1;
    } else {
      indentAfterMarker = offset - initial;
    }
    if (indentAfterMarker > 4) {
      indentAfterMarker = 1;
    }
    const indent = initial + indentAfterMarker;
    token = state.push("list_item_open", "li", 1);
    token.markup = String.fromCharCode(markerCharCode);
    const itemLines = [nextLine, 0];
    token.map = itemLines;
    if (isOrdered) {
      token.info = state.src.slice(start, posAfterMarker - 1);
    }
    const oldTight = state.tight;
    const oldTShift = state.tShift[nextLine];
    const oldSCount = state.sCount[nextLine];
    const oldListIndent = state.listIndent;
    state.listIndent = state.blkIndent;
    state.blkIndent = indent;
    state.tight = true;
    state.tShift[nextLine] = contentStart - state.bMarks[nextLine];
    state.sCount[nextLine] = offset;
    if (contentStart >= max && state.isEmpty(nextLine + 1)) {
      state.line = Math.min(state.line + 2, endLine);
    } else {
      state.md.block.tokenize(state, nextLine, endLine, true);
    }
    if (!state.tight || prevEmptyEnd) {
      tight = false;
    }
    prevEmptyEnd = state.line - nextLine > 1 && state.isEmpty(state.line - 1);
    state.blkIndent = state.listIndent;
    state.listIndent = oldListIndent;
    state.tShift[nextLine] = oldTShift;
    state.sCount[nextLine] = oldSCount;
    state.tight = oldTight;
    token = state.push("list_item_close", "li", -1);
    token.markup = String.fromCharCode(markerCharCode);
    nextLine = state.line;
    itemLines[1] = nextLine;
    if (nextLine >= endLine) {
      break;
    }
    if (state.sCount[nextLine] < state.blkIndent) {
      break;
    }
    if (state.sCount[nextLine] - state.blkIndent >= 4) {
      break;
    }
    let terminate = false;
    for (let i = 0, l = terminatorRules.length; i < l; i++) {
      if (terminatorRules[i](state, nextLine, endLine, true)) {
        terminate = true;
        break;
      }
    }
    if (terminate) {
      break;
    }
    if (isOrdered) {
      posAfterMarker = skipOrderedListMarker(state, nextLine);
      if (posAfterMarker < 0) {
        break;
      }
      start = state.bMarks[nextLine] + state.tShift[nextLine];
    } else {
      posAfterMarker = skipBulletListMarker(state, nextLine);
      if (posAfterMarker < 0) {
        break;
      }
    }
    if (markerCharCode !== state.src.charCodeAt(posAfterMarker - 1)) {
      break;
    }
  }
  if (isOrdered) {
    token = state.push("ordered_list_close", "ol", -1);
  } else {
    token = state.push("bullet_list_close", "ul", -1);
  }
  token.markup = String.fromCharCode(markerCharCode);
  listLines[1] = nextLine;
  state.line = nextLine;
  state.parentType = oldParentType;
  if (tight) {
    markTightParagraphs(state, listTokIdx);
  }
  return true;
}

// markdown-it/lib/rules_block/reference.mjs
var MAX_LABEL_LENGTH = 999;
function countCodePoints(str) {
  let length = str.length;
  for (let i = 0; i < str.length - 1; i++) {
    const high = str.charCodeAt(i);
    if (high < 55296 || high > 56319) {
      continue;
    }
    const low = str.charCodeAt(i + 1);
    if (low >= 56320 && low <= 57343) {
      length--;
      i++;
    }
  }
  return length;
}
function lineEnd(state, line) {
  return Math.min(state.eMarks[line] + 1, state.src.length);
}
function getNextLinePos(state, nextLine) {
  const endLine = state.lineMax;
  if (nextLine >= endLine || state.isEmpty(nextLine)) {
    return -1;
  }
  let isContinuation = false;
  if (state.sCount[nextLine] - state.blkIndent > 3) {
    isContinuation = true;
  }
  if (state.sCount[nextLine] < 0) {
    isContinuation = true;
  }
  if (!isContinuation) {
    const terminatorRules = state.md.block.ruler.getRules("reference");
    const oldParentType = state.parentType;
    state.parentType = "reference";
    let terminate = false;
    for (let i = 0, l = terminatorRules.length; i < l; i++) {
      if (terminatorRules[i](state, nextLine, endLine, true)) {
        terminate = true;
        break;
      }
    }
    state.parentType = oldParentType;
    if (terminate) {
      return -1;
    }
  }
  return state.bMarks[nextLine] + state.tShift[nextLine];
}
function reference(state, startLine, _endLine, silent) {
  const src = state.src;
  let pos = state.bMarks[startLine] + state.tShift[startLine];
  let nextLine = startLine + 1;
  if (state.sCount[startLine] - state.blkIndent >= 4) {
    return false;
  }
  if (src.charCodeAt(pos) !== 91) {
    return false;
  }
  let max = lineEnd(state, startLine);
  let rawLabel = "";
  let labelEnd = -1;
  let segmentStart = ++pos;
  while (pos < max) {
    if (rawLabel.length + pos - segmentStart > MAX_LABEL_LENGTH * 2) {
      return false;
    }
    let ch = src.charCodeAt(pos);
    if (ch === 91) {
      return false;
    }
    if (ch === 93) {
      labelEnd = pos;
      break;
    }
    if (ch === 92) {
      ch = src.charCodeAt(++pos);
    }
    if (ch === 10 && pos < max) {
      const nextPos = getNextLinePos(state, nextLine);
      if (nextPos < 0) {
        return false;
      }
      rawLabel += src.slice(segmentStart, max);
      pos = segmentStart = nextPos;
      max = lineEnd(state, nextLine++);
      continue;
    }
    pos++;
  }
  if (labelEnd < 0 || src.charCodeAt(labelEnd + 1) !== 58) {
    return false;
  }
  rawLabel += src.slice(segmentStart, labelEnd);
  if (rawLabel.length > MAX_LABEL_LENGTH && countCodePoints(rawLabel) > MAX_LABEL_LENGTH) {
    return false;
  }
  pos = labelEnd + 2;
  while (pos < max) {
    const ch = src.charCodeAt(pos);
    if (ch === 10) {
      const nextPos = getNextLinePos(state, nextLine);
      if (nextPos < 0) {
        break;
      }
      pos = nextPos;
      max = lineEnd(state, nextLine++);
    } else if (isSpace(ch)) {
      pos++;
    } else {
      break;
    }
  }
  const destRes = state.md.helpers.parseLinkDestination(src, pos, max);
  if (!destRes.ok) {
    return false;
  }
  const href = state.md.normalizeLink(destRes.str);
  if (!state.md.validateLink(href)) {
    return false;
  }
  pos = destRes.pos;
  const destEndPos = pos;
  const destEndMax = max;
  const destEndLineNo = nextLine;
  while (pos < max) {
    const ch = src.charCodeAt(pos);
    if (ch === 10) {
      const nextPos = getNextLinePos(state, nextLine);
      if (nextPos < 0) {
        break;
      }
      pos = nextPos;
      max = lineEnd(state, nextLine++);
    } else if (isSpace(ch)) {
      pos++;
    } else {
      break;
    }
  }
  const titleStart = pos;
  let titleRes = state.md.helpers.parseLinkTitle(src, pos, max);
  while (titleRes.can_continue) {
    const nextPos = getNextLinePos(state, nextLine);
    if (nextPos < 0) break;
    pos = nextPos;
    max = lineEnd(state, nextLine++);
    titleRes = state.md.helpers.parseLinkTitle(src, pos, max, titleRes);
  }
  let title;
  if (titleStart !== destEndPos && titleRes.ok) {
    title = titleRes.str;
    pos = titleRes.pos;
  } else {
    title = "";
    pos = destEndPos;
    max = destEndMax;
    nextLine = destEndLineNo;
  }
  while (pos < max) {
    const ch = src.charCodeAt(pos);
    if (!isSpace(ch)) {
      break;
    }
    pos++;
  }
  if (pos < max && src.charCodeAt(pos) !== 10) {
    if (title) {
      title = "";
      pos = destEndPos;
      max = destEndMax;
      nextLine = destEndLineNo;
      while (pos < max) {
        const ch = src.charCodeAt(pos);
        if (!isSpace(ch)) {
          break;
        }
        pos++;
      }
    }
  }
  if (pos < max && src.charCodeAt(pos) !== 10) {
    return false;
  }
  const label = normalizeReference(rawLabel);
  if (!label) {
    return false;
  }
  if (silent) {
    return true;
  }
  if (typeof state.env.references === "undefined") {
    state.env.references = {};
  }
  if (typeof state.env.references[label] === "undefined") {
    state.env.references[label] = { title, href };
  }
  state.line = nextLine;
  return true;
}

// markdown-it/lib/common/html_blocks.mjs
var html_blocks_default = [
  "address",
  "article",
  "aside",
  "base",
  "basefont",
  "blockquote",
  "body",
  "caption",
  "center",
  "col",
  "colgroup",
  "dd",
  "details",
  "dialog",
  "dir",
  "div",
  "dl",
  "dt",
  "fieldset",
  "figcaption",
  "figure",
  "footer",
  "form",
  "frame",
  "frameset",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "head",
  "header",
  "hr",
  "html",
  "iframe",
  "legend",
  "li",
  "link",
  "main",
  "menu",
  "menuitem",
  "nav",
  "noframes",
  "ol",
  "optgroup",
  "option",
  "p",
  "param",
  "search",
  "section",
  "summary",
  "table",
  "tbody",
  "td",
  "tfoot",
  "th",
  "thead",
  "title",
  "tr",
  "track",
  "ul"
];

// markdown-it/lib/common/html_re.mjs
var attr_name = "[a-zA-Z_:][a-zA-Z0-9:._-]*";
var unquoted = "[^\"'=<>`\\x00-\\x20]+";
var single_quoted = "'[^']*'";
var double_quoted = '"[^"]*"';
var attr_value = "(?:" + unquoted + "|" + single_quoted + "|" + double_quoted + ")";
var attribute = "(?:\\s+" + attr_name + "(?:\\s*=\\s*" + attr_value + ")?)";
var open_tag = "<[A-Za-z][A-Za-z0-9\\-]*" + attribute + "*\\s*\\/?>";
var close_tag = "<\\/[A-Za-z][A-Za-z0-9\\-]*\\s*>";
var comment = "<!---?>|<!--(?:[^-]|-[^-]|--[^>])*-->";
var processing = "<[?][\\s\\S]*?[?]>";
var declaration = "<![A-Za-z][^>]*>";
var cdata = "<!\\[CDATA\\[[\\s\\S]*?\\]\\]>";
var HTML_TAG_RE = new RegExp("^(?:" + open_tag + "|" + close_tag + "|" + comment + "|" + processing + "|" + declaration + "|" + cdata + ")");
var HTML_OPEN_CLOSE_TAG_RE = new RegExp("^(?:" + open_tag + "|" + close_tag + ")");

// markdown-it/lib/rules_block/html_block.mjs
var HTML_SEQUENCES = [
  [/^<(script|pre|style|textarea)(?=(\s|>|$))/i, /<\/(script|pre|style|textarea)>/i, true],
  [/^<!--/, /-->/, true],
  [/^<\?/, /\?>/, true],
  [/^<![A-Za-z]/, />/, true],
  [/^<!\[CDATA\[/, /\]\]>/, true],
  [new RegExp("^</?(" + html_blocks_default.join("|") + ")(?=(\\s|/?>|$))", "i"), /^$/, true],
  [new RegExp(HTML_OPEN_CLOSE_TAG_RE.source + "\\s*$"), /^$/, false]
];
function html_block(state, startLine, endLine, silent) {
  let pos = state.bMarks[startLine] + state.tShift[startLine];
  let max = state.eMarks[startLine];
  if (state.sCount[startLine] - state.blkIndent >= 4) {
    return false;
  }
  if (!state.md.options.html) {
    return false;
  }
  if (state.src.charCodeAt(pos) !== 60) {
    return false;
  }
  let lineText = state.src.slice(pos, max);
  let i = 0;
  for (; i < HTML_SEQUENCES.length; i++) {
    if (HTML_SEQUENCES[i][0].test(lineText)) {
      break;
    }
  }
  if (i === HTML_SEQUENCES.length) {
    return false;
  }
  if (silent) {
    return HTML_SEQUENCES[i][2];
  }
  let nextLine = startLine + 1;
  const endsOnBlankLine = HTML_SEQUENCES[i][1].test("");
  if (!HTML_SEQUENCES[i][1].test(lineText)) {
    for (; nextLine < endLine; nextLine++) {
      if (state.sCount[nextLine] < state.blkIndent) {
        if (endsOnBlankLine || !state.isEmpty(nextLine)) {
          break;
        }
      }
      pos = state.bMarks[nextLine] + state.tShift[nextLine];
      max = state.eMarks[nextLine];
      lineText = state.src.slice(pos, max);
      if (HTML_SEQUENCES[i][1].test(lineText)) {
        if (lineText.length !== 0) {
          nextLine++;
        }
        break;
      }
    }
  }
  state.line = nextLine;
  const token = state.push("html_block", "", 0);
  token.map = [startLine, nextLine];
  token.content = state.getLines(startLine, nextLine, state.blkIndent, true);
  return true;
}

// markdown-it/lib/rules_block/heading.mjs
function heading(state, startLine, endLine, silent) {
  let pos = state.bMarks[startLine] + state.tShift[startLine];
  let max = state.eMarks[startLine];
  if (state.sCount[startLine] - state.blkIndent >= 4) {
    return false;
  }
  let ch = state.src.charCodeAt(pos);
  if (ch !== 35 || pos >= max) {
    return false;
  }
  let level = 1;
  ch = state.src.charCodeAt(++pos);
  while (ch === 35 && pos < max && level <= 6) {
    level++;
    ch = state.src.charCodeAt(++pos);
  }
  if (level > 6 || pos < max && !isSpace(ch)) {
    return false;
  }
  if (silent) {
    return true;
  }
  max = state.skipSpacesBack(max, pos);
  const tmp = state.skipCharsBack(max, 35, pos);
  if (tmp > pos && isSpace(state.src.charCodeAt(tmp - 1))) {
    max = tmp;
  }
  state.line = startLine + 1;
  const token_o = state.push("heading_open", "h" + String(level), 1);
  token_o.markup = "########".slice(0, level);
  token_o.map = [startLine, state.line];
  const token_i = state.push("inline", "", 0);
  token_i.content = asciiTrim(state.src.slice(pos, max));
  token_i.map = [startLine, state.line];
  token_i.children = [];
  const token_c = state.push("heading_close", "h" + String(level), -1);
  token_c.markup = "########".slice(0, level);
  return true;
}

// markdown-it/lib/rules_block/lheading.mjs
function lheading(state, startLine, endLine) {
  const terminatorRules = state.md.block.ruler.getRules("paragraph");
  if (state.sCount[startLine] - state.blkIndent >= 4) {
    return false;
  }
  const oldParentType = state.parentType;
  state.parentType = "paragraph";
  let level = 0;
  let marker;
  let nextLine = startLine + 1;
  for (; nextLine < endLine && !state.isEmpty(nextLine); nextLine++) {
    if (state.sCount[nextLine] - state.blkIndent > 3) {
      continue;
    }
    if (state.sCount[nextLine] >= state.blkIndent) {
      let pos = state.bMarks[nextLine] + state.tShift[nextLine];
      const max = state.eMarks[nextLine];
      if (pos < max) {
        marker = state.src.charCodeAt(pos);
        if (marker === 45 || marker === 61) {
          pos = state.skipChars(pos, marker);
          pos = state.skipSpaces(pos);
          if (pos >= max) {
            level = marker === 61 ? 1 : 2;
            break;
          }
        }
      }
    }
    if (state.sCount[nextLine] < 0) {
      continue;
    }
    let terminate = false;
    for (let i = 0, l = terminatorRules.length; i < l; i++) {
      if (terminatorRules[i](state, nextLine, endLine, true)) {
        terminate = true;
        break;
      }
    }
    if (terminate) {
      break;
    }
  }
  if (!level) {
    state.parentType = oldParentType;
    return false;
  }
  const content = asciiTrim(state.getLines(startLine, nextLine, state.blkIndent, false));
  state.line = nextLine + 1;
  const token_o = state.push("heading_open", "h" + String(level), 1);
  token_o.markup = String.fromCharCode(marker);
  token_o.map = [startLine, state.line];
  const token_i = state.push("inline", "", 0);
  token_i.content = content;
  token_i.map = [startLine, state.line - 1];
  token_i.children = [];
  const token_c = state.push("heading_close", "h" + String(level), -1);
  token_c.markup = String.fromCharCode(marker);
  state.parentType = oldParentType;
  return true;
}

// markdown-it/lib/rules_block/paragraph.mjs
function paragraph(state, startLine, endLine) {
  const terminatorRules = state.md.block.ruler.getRules("paragraph");
  const oldParentType = state.parentType;
  let nextLine = startLine + 1;
  state.parentType = "paragraph";
  for (; nextLine < endLine && !state.isEmpty(nextLine); nextLine++) {
    if (state.sCount[nextLine] - state.blkIndent > 3) {
      continue;
    }
    if (state.sCount[nextLine] < 0) {
      continue;
    }
    let terminate = false;
    for (let i = 0, l = terminatorRules.length; i < l; i++) {
      if (terminatorRules[i](state, nextLine, endLine, true)) {
        terminate = true;
        break;
      }
    }
    if (terminate) {
      break;
    }
  }
  const content = asciiTrim(state.getLines(startLine, nextLine, state.blkIndent, false));
  state.line = nextLine;
  const token_o = state.push("paragraph_open", "p", 1);
  token_o.map = [startLine, state.line];
  const token_i = state.push("inline", "", 0);
  token_i.content = content;
  token_i.map = [startLine, state.line];
  token_i.children = [];
  state.push("paragraph_close", "p", -1);
  state.parentType = oldParentType;
  return true;
}

// markdown-it/lib/parser_block.mjs
var _rules2 = [
  // First 2 params - rule name & source. Secondary array - list of rules,
  // which can be terminated by this one.
  ["table", table, ["paragraph", "reference"]],
  ["code", code],
  ["fence", fence, ["paragraph", "reference", "blockquote", "list"]],
  ["blockquote", blockquote, ["paragraph", "reference", "blockquote", "list"]],
  ["hr", hr, ["paragraph", "reference", "blockquote", "list"]],
  ["list", list, ["paragraph", "reference", "blockquote"]],
  ["reference", reference],
  ["html_block", html_block, ["paragraph", "reference", "blockquote"]],
  ["heading", heading, ["paragraph", "reference", "blockquote"]],
  ["lheading", lheading],
  ["paragraph", paragraph]
];
function ParserBlock() {
  this.ruler = new ruler_default();
  for (let i = 0; i < _rules2.length; i++) {
    this.ruler.push(_rules2[i][0], _rules2[i][1], { alt: (_rules2[i][2] || []).slice() });
  }
}
ParserBlock.prototype.tokenize = function(state, startLine, endLine) {
  const rules = this.ruler.getRules("");
  const len = rules.length;
  const maxNesting = state.md.options.maxNesting;
  let line = startLine;
  let hasEmptyLines = false;
  while (line < endLine) {
    state.line = line = state.skipEmptyLines(line);
    if (line >= endLine) {
      break;
    }
    if (state.sCount[line] < state.blkIndent) {
      break;
    }
    if (state.level >= maxNesting) {
      state.line = endLine;
      break;
    }
    const prevLine = state.line;
    let ok = false;
    for (let i = 0; i < len; i++) {
      ok = rules[i](state, line, endLine, false);
      if (ok) {
        if (prevLine >= state.line) {
          throw new Error("block rule didn't increment state.line");
        }
        break;
      }
    }
    if (!ok) throw new Error("none of the block rules matched");
    state.tight = !hasEmptyLines;
    if (state.isEmpty(state.line - 1)) {
      hasEmptyLines = true;
    }
    line = state.line;
    if (line < endLine && state.isEmpty(line)) {
      hasEmptyLines = true;
      line++;
      state.line = line;
    }
  }
};
ParserBlock.prototype.parse = function(src, md, env, outTokens) {
  if (!src) {
    return;
  }
  const state = new this.State(src, md, env, outTokens);
  this.tokenize(state, state.line, state.lineMax);
};
ParserBlock.prototype.State = state_block_default;
var parser_block_default = ParserBlock;

// markdown-it/lib/rules_inline/state_inline.mjs
function StateInline(src, md, env, outTokens) {
  this.src = src;
  this.env = env;
  this.md = md;
  this.tokens = outTokens;
  this.tokens_meta = Array(outTokens.length);
  this.pos = 0;
  this.posMax = this.src.length;
  this.level = 0;
  this.pending = "";
  this.pendingLevel = 0;
  this.cache = {};
  this.delimiters = [];
  this._prev_delimiters = [];
  this.backticks = {};
  this.backticksScanned = false;
  this.skipHtmlSpecial = false;
  this.linkLevel = 0;
}
StateInline.prototype.pushPending = function() {
  const token = new token_default("text", "", 0);
  token.content = this.pending;
  token.level = this.pendingLevel;
  this.tokens.push(token);
  this.pending = "";
  return token;
};
StateInline.prototype.push = function(type, tag, nesting) {
  if (this.pending) {
    this.pushPending();
  }
  const token = new token_default(type, tag, nesting);
  let token_meta = null;
  if (nesting < 0) {
    this.level--;
    this.delimiters = this._prev_delimiters.pop();
  }
  token.level = this.level;
  if (nesting > 0) {
    this.level++;
    this._prev_delimiters.push(this.delimiters);
    this.delimiters = [];
    token_meta = { delimiters: this.delimiters };
  }
  this.pendingLevel = this.level;
  this.tokens.push(token);
  this.tokens_meta.push(token_meta);
  return token;
};
StateInline.prototype.scanDelims = function(start, canSplitWord) {
  const max = this.posMax;
  const marker = this.src.charCodeAt(start);
  let lastChar;
  if (start === 0) {
    lastChar = 32;
  } else if (start === 1) {
    lastChar = this.src.charCodeAt(0);
    if ((lastChar & 63488) === 55296) {
      lastChar = 65533;
    }
  } else {
    lastChar = this.src.charCodeAt(start - 1);
    if ((lastChar & 64512) === 56320) {
      const highSurr = this.src.charCodeAt(start - 2);
      lastChar = (highSurr & 64512) === 55296 ? 65536 + (highSurr - 55296 << 10) + (lastChar - 56320) : 65533;
    } else if ((lastChar & 64512) === 55296) {
      lastChar = 65533;
    }
  }
  let pos = start;
  while (pos < max && this.src.charCodeAt(pos) === marker) {
    pos++;
  }
  const count = pos - start;
  let nextChar = pos < max ? this.src.charCodeAt(pos) : 32;
  if ((nextChar & 64512) === 55296) {
    const lowSurr = this.src.charCodeAt(pos + 1);
    nextChar = (lowSurr & 64512) === 56320 ? 65536 + (nextChar - 55296 << 10) + (lowSurr - 56320) : 65533;
  } else if ((nextChar & 64512) === 56320) {
    nextChar = 65533;
  }
  const isLastPunctChar = isMdAsciiPunct(lastChar) || isPunctCharCode(lastChar);
  const isNextPunctChar = isMdAsciiPunct(nextChar) || isPunctCharCode(nextChar);
  const isLastWhiteSpace = isWhiteSpace(lastChar);
  const isNextWhiteSpace = isWhiteSpace(nextChar);
  const left_flanking = !isNextWhiteSpace && (!isNextPunctChar || isLastWhiteSpace || isLastPunctChar);
  const right_flanking = !isLastWhiteSpace && (!isLastPunctChar || isNextWhiteSpace || isNextPunctChar);
  const can_open = left_flanking && (canSplitWord || !right_flanking || isLastPunctChar);
  const can_close = right_flanking && (canSplitWord || !left_flanking || isNextPunctChar);
  return { can_open, can_close, length: count };
};
StateInline.prototype.Token = token_default;
var state_inline_default = StateInline;

// markdown-it/lib/rules_inline/text.mjs
function isTerminatorChar(ch) {
  switch (ch) {
    case 10:
    case 33:
    case 35:
    case 36:
    case 37:
    case 38:
    case 42:
    case 43:
    case 45:
    case 58:
    case 60:
    case 61:
    case 62:
    case 64:
    case 91:
    case 92:
    case 93:
    case 94:
    case 95:
    case 96:
    case 123:
    case 125:
    case 126:
      return true;
    default:
      return false;
  }
}
function text(state, silent) {
  let pos = state.pos;
  while (pos < state.posMax && !isTerminatorChar(state.src.charCodeAt(pos))) {
    pos++;
  }
  if (pos === state.pos) {
    return false;
  }
  if (!silent) {
    state.pending += state.src.slice(state.pos, pos);
  }
  state.pos = pos;
  return true;
}

// markdown-it/lib/rules_inline/linkify.mjs
function isAsciiAlpha(code2) {
  return code2 >= 65 && code2 <= 90 || code2 >= 97 && code2 <= 122;
}
function isSchemeChar(code2) {
  return code2 >= 65 && code2 <= 90 || code2 >= 97 && code2 <= 122 || code2 >= 48 && code2 <= 57 || code2 === 43 || code2 === 45 || code2 === 46;
}
function linkify2(state, silent) {
  if (!state.md.options.linkify) return false;
  if (state.linkLevel > 0) return false;
  const pos = state.pos;
  const max = state.posMax;
  if (pos + 3 > max) return false;
  if (state.src.charCodeAt(pos) !== 58) return false;
  if (state.src.charCodeAt(pos + 1) !== 47) return false;
  if (state.src.charCodeAt(pos + 2) !== 47) return false;
  const protoMin = pos - Math.min(10, state.pending.length, pos);
  let protoStart = pos;
  while (protoStart > protoMin && isSchemeChar(state.src.charCodeAt(protoStart - 1))) {
    protoStart--;
  }
  if (protoStart === pos || !isAsciiAlpha(state.src.charCodeAt(protoStart))) return false;
  const protoLength = pos - protoStart;
  const link3 = state.md.linkify.matchAtStart(state.src.slice(protoStart));
  if (!link3) return false;
  let url = link3.url;
  if (url.length <= protoLength) return false;
  let urlEnd = url.length;
  while (urlEnd > 0 && url.charCodeAt(urlEnd - 1) === 42) {
    urlEnd--;
  }
  if (urlEnd !== url.length) {
    url = url.slice(0, urlEnd);
  }
  const fullUrl = state.md.normalizeLink(url);
  if (!state.md.validateLink(fullUrl)) return false;
  if (!silent) {
    state.pending = state.pending.slice(0, -protoLength);
    const token_o = state.push("link_open", "a", 1);
    token_o.attrs = [["href", fullUrl]];
    token_o.markup = "linkify";
    token_o.info = "auto";
    const token_t = state.push("text", "", 0);
    token_t.content = state.md.normalizeLinkText(url);
    const token_c = state.push("link_close", "a", -1);
    token_c.markup = "linkify";
    token_c.info = "auto";
  }
  state.pos += url.length - protoLength;
  return true;
}

// markdown-it/lib/rules_inline/newline.mjs
function newline(state, silent) {
  let pos = state.pos;
  if (state.src.charCodeAt(pos) !== 10) {
    return false;
  }
  const pmax = state.pending.length - 1;
  const max = state.posMax;
  if (!silent) {
    if (pmax >= 0 && state.pending.charCodeAt(pmax) === 32) {
      if (pmax >= 1 && state.pending.charCodeAt(pmax - 1) === 32) {
        let ws = pmax - 1;
        while (ws >= 1 && state.pending.charCodeAt(ws - 1) === 32) ws--;
        state.pending = state.pending.slice(0, ws);
        state.push("hardbreak", "br", 0);
      } else {
        state.pending = state.pending.slice(0, -1);
        state.push("softbreak", "br", 0);
      }
    } else {
      state.push("softbreak", "br", 0);
    }
  }
  pos++;
  while (pos < max && isSpace(state.src.charCodeAt(pos))) {
    pos++;
  }
  state.pos = pos;
  return true;
}

// markdown-it/lib/rules_inline/escape.mjs
var ESCAPED = [];
for (let i = 0; i < 256; i++) {
  ESCAPED.push(0);
}
"\\!\"#$%&'()*+,./:;<=>?@[]^_`{|}~-".split("").forEach(function(ch) {
  ESCAPED[ch.charCodeAt(0)] = 1;
});
function escape2(state, silent) {
  let pos = state.pos;
  const max = state.posMax;
  if (state.src.charCodeAt(pos) !== 92) return false;
  pos++;
  if (pos >= max) return false;
  let ch1 = state.src.charCodeAt(pos);
  if (ch1 === 10) {
    if (!silent) {
      state.push("hardbreak", "br", 0);
    }
    pos++;
    while (pos < max) {
      ch1 = state.src.charCodeAt(pos);
      if (!isSpace(ch1)) break;
      pos++;
    }
    state.pos = pos;
    return true;
  }
  if (ch1 === 32) {
    if (!silent) {
      const token = state.push("text_special", "", 0);
      token.content = "\\";
      token.markup = "\\";
      token.info = "escape";
    }
    state.pos = pos;
    return true;
  }
  let escapedStr = state.src[pos];
  if (ch1 >= 55296 && ch1 <= 56319 && pos + 1 < max) {
    const ch2 = state.src.charCodeAt(pos + 1);
    if (ch2 >= 56320 && ch2 <= 57343) {
      escapedStr += state.src[pos + 1];
      pos++;
    }
  }
  const origStr = "\\" + escapedStr;
  if (!silent) {
    const token = state.push("text_special", "", 0);
    if (ch1 < 256 && ESCAPED[ch1] !== 0) {
      token.content = escapedStr;
    } else {
      token.content = origStr;
    }
    token.markup = origStr;
    token.info = "escape";
  }
  state.pos = pos + 1;
  return true;
}

// markdown-it/lib/rules_inline/backticks.mjs
function backtick(state, silent) {
  let pos = state.pos;
  const ch = state.src.charCodeAt(pos);
  if (ch !== 96) {
    return false;
  }
  const start = pos;
  pos++;
  const max = state.posMax;
  while (pos < max && state.src.charCodeAt(pos) === 96) {
    pos++;
  }
  const marker = state.src.slice(start, pos);
  const openerLength = marker.length;
  if (state.backticksScanned && (state.backticks[openerLength] || 0) <= start) {
    if (!silent) state.pending += marker;
    state.pos += openerLength;
    return true;
  }
  let matchEnd = pos;
  let matchStart;
  while ((matchStart = state.src.indexOf("`", matchEnd)) !== -1) {
    matchEnd = matchStart + 1;
    while (matchEnd < max && state.src.charCodeAt(matchEnd) === 96) {
      matchEnd++;
    }
    const closerLength = matchEnd - matchStart;
    if (closerLength === openerLength) {
      if (!silent) {
        const token = state.push("code_inline", "code", 0);
        token.markup = marker;
        token.content = state.src.slice(pos, matchStart).replace(/\n/g, " ").replace(/^ (.+) $/, "$1");
      }
      state.pos = matchEnd;
      return true;
    }
    state.backticks[closerLength] = matchStart;
  }
  state.backticksScanned = true;
  if (!silent) state.pending += marker;
  state.pos += openerLength;
  return true;
}

// markdown-it/lib/rules_inline/strikethrough.mjs
function strikethrough_tokenize(state, silent) {
  const start = state.pos;
  const marker = state.src.charCodeAt(start);
  if (silent) {
    return false;
  }
  if (marker !== 126) {
    return false;
  }
  const scanned = state.scanDelims(state.pos, true);
  let len = scanned.length;
  const ch = String.fromCharCode(marker);
  if (len < 2) {
    return false;
  }
  let token;
  if (len % 2) {
    token = state.push("text", "", 0);
    token.content = ch;
    len--;
  }
  for (let i = 0; i < len; i += 2) {
    token = state.push("text", "", 0);
    token.content = ch + ch;
    state.delimiters.push({
      marker,
      length: 0,
      // disable "rule of 3" length checks meant for emphasis
      token: state.tokens.length - 1,
      end: -1,
      open: scanned.can_open,
      close: scanned.can_close
    });
  }
  state.pos += scanned.length;
  return true;
}
function postProcess(state, delimiters) {
  let token;
  const loneMarkers = [];
  const max = delimiters.length;
  for (let i = 0; i < max; i++) {
    const startDelim = delimiters[i];
    if (startDelim.marker !== 126) {
      continue;
    }
    if (startDelim.end === -1) {
      continue;
    }
    const endDelim = delimiters[startDelim.end];
    token = state.tokens[startDelim.token];
    token.type = "s_open";
    token.tag = "s";
    token.nesting = 1;
    token.markup = "~~";
    token.content = "";
    token = state.tokens[endDelim.token];
    token.type = "s_close";
    token.tag = "s";
    token.nesting = -1;
    token.markup = "~~";
    token.content = "";
    if (state.tokens[endDelim.token - 1].type === "text" && state.tokens[endDelim.token - 1].content === "~") {
      loneMarkers.push(endDelim.token - 1);
    }
  }
  while (loneMarkers.length) {
    const i = loneMarkers.pop();
    let j = i + 1;
    while (j < state.tokens.length && state.tokens[j].type === "s_close") {
      j++;
    }
    j--;
    if (i !== j) {
      token = state.tokens[j];
      state.tokens[j] = state.tokens[i];
      state.tokens[i] = token;
    }
  }
}
function strikethrough_postProcess(state) {
  const tokens_meta = state.tokens_meta;
  const max = state.tokens_meta.length;
  postProcess(state, state.delimiters);
  for (let curr = 0; curr < max; curr++) {
    if (tokens_meta[curr] && tokens_meta[curr].delimiters) {
      postProcess(state, tokens_meta[curr].delimiters);
    }
  }
}
var strikethrough_default = {
  tokenize: strikethrough_tokenize,
  postProcess: strikethrough_postProcess
};

// markdown-it/lib/rules_inline/emphasis.mjs
function emphasis_tokenize(state, silent) {
  const start = state.pos;
  const marker = state.src.charCodeAt(start);
  if (silent) {
    return false;
  }
  if (marker !== 95 && marker !== 42) {
    return false;
  }
  const scanned = state.scanDelims(state.pos, marker === 42);
  for (let i = 0; i < scanned.length; i++) {
    const token = state.push("text", "", 0);
    token.content = String.fromCharCode(marker);
    state.delimiters.push({
      // Char code of the starting marker (number).
      //
      marker,
      // Total length of these series of delimiters.
      //
      length: scanned.length,
      // A position of the token this delimiter corresponds to.
      //
      token: state.tokens.length - 1,
      // If this delimiter is matched as a valid opener, `end` will be
      // equal to its position, otherwise it's `-1`.
      //
      end: -1,
      // Boolean flags that determine if this delimiter could open or close
      // an emphasis.
      //
      open: scanned.can_open,
      close: scanned.can_close
    });
  }
  state.pos += scanned.length;
  return true;
}
function postProcess2(state, delimiters) {
  const max = delimiters.length;
  for (let i = max - 1; i >= 0; i--) {
    const startDelim = delimiters[i];
    if (startDelim.marker !== 95 && startDelim.marker !== 42) {
      continue;
    }
    if (startDelim.end === -1) {
      continue;
    }
    const endDelim = delimiters[startDelim.end];
    const isStrong = i > 0 && delimiters[i - 1].end === startDelim.end + 1 && // check that first two markers match and adjacent
    delimiters[i - 1].marker === startDelim.marker && delimiters[i - 1].token === startDelim.token - 1 && // check that last two markers are adjacent (we can safely assume they match)
    delimiters[startDelim.end + 1].token === endDelim.token + 1;
    const ch = String.fromCharCode(startDelim.marker);
    const token_o = state.tokens[startDelim.token];
    token_o.type = isStrong ? "strong_open" : "em_open";
    token_o.tag = isStrong ? "strong" : "em";
    token_o.nesting = 1;
    token_o.markup = isStrong ? ch + ch : ch;
    token_o.content = "";
    const token_c = state.tokens[endDelim.token];
    token_c.type = isStrong ? "strong_close" : "em_close";
    token_c.tag = isStrong ? "strong" : "em";
    token_c.nesting = -1;
    token_c.markup = isStrong ? ch + ch : ch;
    token_c.content = "";
    if (isStrong) {
      state.tokens[delimiters[i - 1].token].content = "";
      state.tokens[delimiters[startDelim.end + 1].token].content = "";
      i--;
    }
  }
}
function emphasis_post_process(state) {
  const tokens_meta = state.tokens_meta;
  const max = state.tokens_meta.length;
  postProcess2(state, state.delimiters);
  for (let curr = 0; curr < max; curr++) {
    if (tokens_meta[curr] && tokens_meta[curr].delimiters) {
      postProcess2(state, tokens_meta[curr].delimiters);
    }
  }
}
var emphasis_default = {
  tokenize: emphasis_tokenize,
  postProcess: emphasis_post_process
};

// markdown-it/lib/rules_inline/link.mjs
function link(state, silent) {
  let code2, label, res, ref;
  let href = "";
  let title = "";
  let start = state.pos;
  let parseReference = true;
  if (state.src.charCodeAt(state.pos) !== 91) {
    return false;
  }
  const oldPos = state.pos;
  const max = state.posMax;
  const labelStart = state.pos + 1;
  const labelEnd = state.md.helpers.parseLinkLabel(state, state.pos, true);
  if (labelEnd < 0) {
    return false;
  }
  let pos = labelEnd + 1;
  if (pos < max && state.src.charCodeAt(pos) === 40) {
    parseReference = false;
    pos++;
    for (; pos < max; pos++) {
      code2 = state.src.charCodeAt(pos);
      if (!isSpace(code2) && code2 !== 10) {
        break;
      }
    }
    if (pos >= max) {
      return false;
    }
    start = pos;
    res = state.md.helpers.parseLinkDestination(state.src, pos, state.posMax);
    if (res.ok) {
      href = state.md.normalizeLink(res.str);
      if (state.md.validateLink(href)) {
        pos = res.pos;
      } else {
        href = "";
      }
      start = pos;
      for (; pos < max; pos++) {
        code2 = state.src.charCodeAt(pos);
        if (!isSpace(code2) && code2 !== 10) {
          break;
        }
      }
      res = state.md.helpers.parseLinkTitle(state.src, pos, state.posMax);
      if (pos < max && start !== pos && res.ok) {
        title = res.str;
        pos = res.pos;
        for (; pos < max; pos++) {
          code2 = state.src.charCodeAt(pos);
          if (!isSpace(code2) && code2 !== 10) {
            break;
          }
        }
      }
    }
    if (pos >= max || state.src.charCodeAt(pos) !== 41) {
      parseReference = true;
    }
    pos++;
  }
  if (parseReference) {
    if (typeof state.env.references === "undefined") {
      return false;
    }
    if (pos < max && state.src.charCodeAt(pos) === 91) {
      start = pos + 1;
      pos = state.md.helpers.parseLinkLabel(state, pos);
      if (pos >= 0) {
        label = state.src.slice(start, pos++);
      } else {
        pos = labelEnd + 1;
      }
    } else {
      pos = labelEnd + 1;
    }
    if (!label) {
      label = state.src.slice(labelStart, labelEnd);
    }
    ref = state.env.references[normalizeReference(label)];
    if (!ref) {
      state.pos = oldPos;
      return false;
    }
    href = ref.href;
    title = ref.title;
  }
  if (!silent) {
    state.pos = labelStart;
    state.posMax = labelEnd;
    const token_o = state.push("link_open", "a", 1);
    const attrs = [["href", href]];
    token_o.attrs = attrs;
    if (title) {
      attrs.push(["title", title]);
    }
    state.linkLevel++;
    state.md.inline.tokenize(state);
    state.linkLevel--;
    state.push("link_close", "a", -1);
  }
  state.pos = pos;
  state.posMax = max;
  return true;
}

// markdown-it/lib/rules_inline/image.mjs
function image(state, silent) {
  let code2, content, label, pos, ref, res, title, start;
  let href = "";
  const oldPos = state.pos;
  const max = state.posMax;
  if (state.src.charCodeAt(state.pos) !== 33) {
    return false;
  }
  if (state.src.charCodeAt(state.pos + 1) !== 91) {
    return false;
  }
  const labelStart = state.pos + 2;
  const labelEnd = state.md.helpers.parseLinkLabel(state, state.pos + 1, false);
  if (labelEnd < 0) {
    return false;
  }
  pos = labelEnd + 1;
  if (pos < max && state.src.charCodeAt(pos) === 40) {
    pos++;
    for (; pos < max; pos++) {
      code2 = state.src.charCodeAt(pos);
      if (!isSpace(code2) && code2 !== 10) {
        break;
      }
    }
    if (pos >= max) {
      return false;
    }
    start = pos;
    res = state.md.helpers.parseLinkDestination(state.src, pos, state.posMax);
    if (res.ok) {
      href = state.md.normalizeLink(res.str);
      if (state.md.validateLink(href)) {
        pos = res.pos;
      } else {
        href = "";
      }
    }
    start = pos;
    for (; pos < max; pos++) {
      code2 = state.src.charCodeAt(pos);
      if (!isSpace(code2) && code2 !== 10) {
        break;
      }
    }
    res = state.md.helpers.parseLinkTitle(state.src, pos, state.posMax);
    if (pos < max && start !== pos && res.ok) {
      title = res.str;
      pos = res.pos;
      for (; pos < max; pos++) {
        code2 = state.src.charCodeAt(pos);
        if (!isSpace(code2) && code2 !== 10) {
          break;
        }
      }
    } else {
      title = "";
    }
    if (pos >= max || state.src.charCodeAt(pos) !== 41) {
      state.pos = oldPos;
      return false;
    }
    pos++;
  } else {
    if (typeof state.env.references === "undefined") {
      return false;
    }
    if (pos < max && state.src.charCodeAt(pos) === 91) {
      start = pos + 1;
      pos = state.md.helpers.parseLinkLabel(state, pos);
      if (pos >= 0) {
        label = state.src.slice(start, pos++);
      } else {
        pos = labelEnd + 1;
      }
    } else {
      pos = labelEnd + 1;
    }
    if (!label) {
      label = state.src.slice(labelStart, labelEnd);
    }
    ref = state.env.references[normalizeReference(label)];
    if (!ref) {
      state.pos = oldPos;
      return false;
    }
    href = ref.href;
    title = ref.title;
  }
  if (!silent) {
    content = state.src.slice(labelStart, labelEnd);
    const tokens = [];
    state.md.inline.parse(
      content,
      state.md,
      state.env,
      tokens
    );
    const token = state.push("image", "img", 0);
    const attrs = [["src", href], ["alt", ""]];
    token.attrs = attrs;
    token.children = tokens;
    token.content = content;
    if (title) {
      attrs.push(["title", title]);
    }
  }
  state.pos = pos;
  state.posMax = max;
  return true;
}

// markdown-it/lib/rules_inline/autolink.mjs
var EMAIL_RE = /^([a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*)$/;
var AUTOLINK_RE = /^([a-zA-Z][a-zA-Z0-9+.-]{1,31}):([^<>\x00-\x20]*)$/;
function autolink(state, silent) {
  let pos = state.pos;
  if (state.src.charCodeAt(pos) !== 60) {
    return false;
  }
  const start = state.pos;
  const max = state.posMax;
  for (; ; ) {
    if (++pos >= max) return false;
    const ch = state.src.charCodeAt(pos);
    if (ch === 60) return false;
    if (ch === 62) break;
  }
  const url = state.src.slice(start + 1, pos);
  if (AUTOLINK_RE.test(url)) {
    const fullUrl = state.md.normalizeLink(url);
    if (!state.md.validateLink(fullUrl)) {
      return false;
    }
    if (!silent) {
      const token_o = state.push("link_open", "a", 1);
      token_o.attrs = [["href", fullUrl]];
      token_o.markup = "autolink";
      token_o.info = "auto";
      const token_t = state.push("text", "", 0);
      token_t.content = state.md.normalizeLinkText(url);
      const token_c = state.push("link_close", "a", -1);
      token_c.markup = "autolink";
      token_c.info = "auto";
    }
    state.pos += url.length + 2;
    return true;
  }
  if (EMAIL_RE.test(url)) {
    const fullUrl = state.md.normalizeLink("mailto:" + url);
    if (!state.md.validateLink(fullUrl)) {
      return false;
    }
    if (!silent) {
      const token_o = state.push("link_open", "a", 1);
      token_o.attrs = [["href", fullUrl]];
      token_o.markup = "autolink";
      token_o.info = "auto";
      const token_t = state.push("text", "", 0);
      token_t.content = state.md.normalizeLinkText(url);
      const token_c = state.push("link_close", "a", -1);
      token_c.markup = "autolink";
      token_c.info = "auto";
    }
    state.pos += url.length + 2;
    return true;
  }
  return false;
}

// markdown-it/lib/rules_inline/html_inline.mjs
function isLinkOpen2(str) {
  return /^<a[>\s]/i.test(str);
}
function isLinkClose2(str) {
  return /^<\/a\s*>/i.test(str);
}
function isLetter(ch) {
  const lc = ch | 32;
  return lc >= 97 && lc <= 122;
}
function scanSpecial(state, pos) {
  const src = state.src;
  let start;
  let terminator;
  if (src.startsWith("<!--", pos)) {
    if (src.startsWith(">", pos + 4)) {
      return pos + 5;
    }
    if (src.startsWith("->", pos + 4)) {
      return pos + 6;
    }
    start = pos + 4;
    terminator = "-->";
  } else if (src.startsWith("<![CDATA[", pos)) {
    start = pos + 9;
    terminator = "]]>";
  } else if (src.charCodeAt(pos + 1) === 63) {
    start = pos + 2;
    terminator = "?>";
  } else if (isLetter(src.charCodeAt(pos + 2))) {
    start = pos + 3;
    terminator = ">";
  } else {
    return -1;
  }
  if (state.skipHtmlSpecial) {
    return -1;
  }
  const end = src.indexOf(terminator, start);
  if (end < 0) {
    state.skipHtmlSpecial = true;
    return -1;
  }
  return end + terminator.length;
}
function html_inline(state, silent) {
  if (!state.md.options.html) {
    return false;
  }
  const max = state.posMax;
  const pos = state.pos;
  if (state.src.charCodeAt(pos) !== 60 || pos + 2 >= max) {
    return false;
  }
  let end;
  const ch = state.src.charCodeAt(pos + 1);
  if (ch === 33 || ch === 63) {
    end = scanSpecial(state, pos);
  } else if (ch === 47 || isLetter(ch)) {
    const match2 = state.src.slice(pos).match(HTML_OPEN_CLOSE_TAG_RE);
    end = match2 ? pos + match2[0].length : -1;
  } else {
    return false;
  }
  if (end < 0) {
    return false;
  }
  if (!silent) {
    const token = state.push("html_inline", "", 0);
    token.content = state.src.slice(pos, end);
    if (isLinkOpen2(token.content)) state.linkLevel++;
    if (isLinkClose2(token.content)) state.linkLevel--;
  }
  state.pos = end;
  return true;
}

// markdown-it/lib/rules_inline/entity.mjs
var DIGITAL_RE = /^&#((?:x[a-f0-9]{1,6}|[0-9]{1,7}));/i;
var NAMED_RE = /^&([a-z][a-z0-9]{1,31});/i;
function entity(state, silent) {
  const pos = state.pos;
  const max = state.posMax;
  if (state.src.charCodeAt(pos) !== 38) return false;
  if (pos + 1 >= max) return false;
  const ch = state.src.charCodeAt(pos + 1);
  if (ch === 35) {
    const match2 = state.src.slice(pos).match(DIGITAL_RE);
    if (match2) {
      if (!silent) {
        const code2 = match2[1][0].toLowerCase() === "x" ? parseInt(match2[1].slice(1), 16) : parseInt(match2[1], 10);
        const token = state.push("text_special", "", 0);
        token.content = isValidEntityCode(code2) ? fromCodePoint2(code2) : fromCodePoint2(65533);
        token.markup = match2[0];
        token.info = "entity";
      }
      state.pos += match2[0].length;
      return true;
    }
  } else {
    const match2 = state.src.slice(pos).match(NAMED_RE);
    if (match2) {
      const decoded2 = decodeHTMLStrict(match2[0]);
      if (decoded2 !== match2[0]) {
        if (!silent) {
          const token = state.push("text_special", "", 0);
          token.content = decoded2;
          token.markup = match2[0];
          token.info = "entity";
        }
        state.pos += match2[0].length;
        return true;
      }
    }
  }
  return false;
}

// markdown-it/lib/rules_inline/balance_pairs.mjs
function processDelimiters(delimiters) {
  const openersBottom = {};
  const max = delimiters.length;
  if (!max) return;
  let headerIdx = 0;
  let lastTokenIdx = -2;
  const jumps = [];
  for (let closerIdx = 0; closerIdx < max; closerIdx++) {
    const closer = delimiters[closerIdx];
    jumps.push(0);
    if (delimiters[headerIdx].marker !== closer.marker || lastTokenIdx !== closer.token - 1) {
      headerIdx = closerIdx;
    }
    lastTokenIdx = closer.token;
    closer.length = closer.length || 0;
    if (!closer.close) continue;
    if (!openersBottom.hasOwnProperty(closer.marker)) {
      openersBottom[closer.marker] = [-1, -1, -1, -1, -1, -1];
    }
    const minOpenerIdx = openersBottom[closer.marker][(closer.open ? 3 : 0) + closer.length % 3];
    let openerIdx = headerIdx - jumps[headerIdx] - 1;
    let newMinOpenerIdx = openerIdx;
    for (; openerIdx > minOpenerIdx; openerIdx -= jumps[openerIdx] + 1) {
      const opener = delimiters[openerIdx];
      if (opener.marker !== closer.marker) continue;
      if (opener.open && opener.end < 0) {
        let isOddMatch = false;
        if (opener.close || closer.open) {
          if ((opener.length + closer.length) % 3 === 0) {
            if (opener.length % 3 !== 0 || closer.length % 3 !== 0) {
              isOddMatch = true;
            }
          }
        }
        if (!isOddMatch) {
          const lastJump = openerIdx > 0 && !delimiters[openerIdx - 1].open ? jumps[openerIdx - 1] + 1 : 0;
          jumps[closerIdx] = closerIdx - openerIdx + lastJump;
          jumps[openerIdx] = lastJump;
          closer.open = false;
          opener.end = closerIdx;
          opener.close = false;
          newMinOpenerIdx = -1;
          lastTokenIdx = -2;
          break;
        }
      }
    }
    if (newMinOpenerIdx !== -1) {
      openersBottom[closer.marker][(closer.open ? 3 : 0) + (closer.length || 0) % 3] = newMinOpenerIdx;
    }
  }
}
function link_pairs(state) {
  const tokens_meta = state.tokens_meta;
  const max = state.tokens_meta.length;
  processDelimiters(state.delimiters);
  for (let curr = 0; curr < max; curr++) {
    if (tokens_meta[curr] && tokens_meta[curr].delimiters) {
      processDelimiters(tokens_meta[curr].delimiters);
    }
  }
}

// markdown-it/lib/rules_inline/fragments_join.mjs
function fragments_join(state) {
  let curr, last;
  let level = 0;
  const tokens = state.tokens;
  const max = state.tokens.length;
  for (curr = last = 0; curr < max; curr++) {
    if (tokens[curr].nesting < 0) level--;
    tokens[curr].level = level;
    if (tokens[curr].nesting > 0) level++;
    if (tokens[curr].type === "text" && curr + 1 < max && tokens[curr + 1].type === "text") {
      tokens[curr + 1].content = tokens[curr].content + tokens[curr + 1].content;
    } else {
      if (curr !== last) {
        tokens[last] = tokens[curr];
      }
      last++;
    }
  }
  if (curr !== last) {
    tokens.length = last;
  }
}

// markdown-it/lib/parser_inline.mjs
var _rules3 = [
  ["text", text],
  ["linkify", linkify2],
  ["newline", newline],
  ["escape", escape2],
  ["backticks", backtick],
  ["strikethrough", strikethrough_default.tokenize],
  ["emphasis", emphasis_default.tokenize],
  ["link", link],
  ["image", image],
  ["autolink", autolink],
  ["html_inline", html_inline],
  ["entity", entity]
];
var _rules22 = [
  ["balance_pairs", link_pairs],
  ["strikethrough", strikethrough_default.postProcess],
  ["emphasis", emphasis_default.postProcess],
  // rules for pairs separate '**' into its own text tokens, which may be left unused,
  // rule below merges unused segments back with the rest of the text
  ["fragments_join", fragments_join]
];
function ParserInline() {
  this.ruler = new ruler_default();
  for (let i = 0; i < _rules3.length; i++) {
    this.ruler.push(_rules3[i][0], _rules3[i][1]);
  }
  this.ruler2 = new ruler_default();
  for (let i = 0; i < _rules22.length; i++) {
    this.ruler2.push(_rules22[i][0], _rules22[i][1]);
  }
}
ParserInline.prototype.skipToken = function(state) {
  const pos = state.pos;
  const rules = this.ruler.getRules("");
  const len = rules.length;
  const maxNesting = state.md.options.maxNesting;
  const cache = state.cache;
  if (typeof cache[pos] !== "undefined") {
    state.pos = cache[pos];
    return;
  }
  let ok = false;
  if (state.level < maxNesting) {
    for (let i = 0; i < len; i++) {
      state.level++;
      ok = rules[i](state, true);
      state.level--;
      if (ok) {
        if (pos >= state.pos) {
          throw new Error("inline rule didn't increment state.pos");
        }
        break;
      }
    }
  } else {
    state.pos = state.posMax;
  }
  if (!ok) {
    state.pos++;
  }
  cache[pos] = state.pos;
};
ParserInline.prototype.tokenize = function(state) {
  const rules = this.ruler.getRules("");
  const len = rules.length;
  const end = state.posMax;
  const maxNesting = state.md.options.maxNesting;
  while (state.pos < end) {
    const prevPos = state.pos;
    let ok = false;
    if (state.level < maxNesting) {
      for (let i = 0; i < len; i++) {
        ok = rules[i](state, false);
        if (ok) {
          if (prevPos >= state.pos) {
            throw new Error("inline rule didn't increment state.pos");
          }
          break;
        }
      }
    }
    if (ok) {
      if (state.pos >= end) {
        break;
      }
      continue;
    }
    state.pending += state.src[state.pos++];
  }
  if (state.pending) {
    state.pushPending();
  }
};
ParserInline.prototype.parse = function(str, md, env, outTokens) {
  const state = new this.State(str, md, env, outTokens);
  this.tokenize(state);
  const rules = this.ruler2.getRules("");
  const len = rules.length;
  for (let i = 0; i < len; i++) {
    rules[i](state);
  }
};
ParserInline.prototype.State = state_inline_default;
var parser_inline_default = ParserInline;

// linkify-it/lib/re.mjs
function re_default(opts) {
  const re = {};
  opts = opts || {};
  re.src_Any = regex_default.source;
  re.src_Cc = regex_default2.source;
  re.src_Z = regex_default6.source;
  re.src_P = regex_default4.source;
  re.src_ZPCc = [re.src_Z, re.src_P, re.src_Cc].join("|");
  re.src_ZCc = [re.src_Z, re.src_Cc].join("|");
  const text_separators = "[><｜]";
  re.src_pseudo_letter = `(?:(?!${text_separators}|${re.src_ZPCc})${re.src_Any})`;
  re.src_ip4 = "(?:(25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)\\.){3}(25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)";
  re.src_auth = `(?:(?:(?!${re.src_ZCc}|[@/\\[\\]()]).){1,50}@)?`;
  re.src_port = "(?::(?:6(?:[0-4]\\d{3}|5(?:[0-4]\\d{2}|5(?:[0-2]\\d|3[0-5])))|[1-5]?\\d{1,4}))?";
  re.src_host_terminator = `(?=$|${text_separators}|${re.src_ZPCc})(?!${opts["---"] ? "-(?!--)|" : "-|"}_|:\\d|\\.-|\\.(?!$|${re.src_ZPCc}))`;
  re.src_path = `(?:[/?#](?:(?!${re.src_ZCc}|${text_separators}|[()[\\]{}.,"'?!\\-;]).|\\[(?:(?!${re.src_ZCc}|\\]).)*\\]|\\((?:(?!${re.src_ZCc}|[)]).)*\\)|\\{(?:(?!${re.src_ZCc}|[}]).)*\\}|\\"(?:(?!${re.src_ZCc}|["]).)+\\"|\\'(?:(?!${re.src_ZCc}|[']).)+\\'|\\'(?=${re.src_pseudo_letter}|[-])|\\.{2,}[a-zA-Z0-9%/&]|\\.(?!${re.src_ZCc}|[.]|$)|` + (opts["---"] ? "\\-(?!--(?:[^-]|$))(?:-*)|" : "\\-+|") + // allow `,,,` in paths
  `,(?!${re.src_ZCc}|$)|;(?!${re.src_ZCc}|$)|\\!+(?!${re.src_ZCc}|[!]|$)|\\?(?!${re.src_ZCc}|[?]|$))+|\\/)?`;
  re.src_email_name = '[\\-;:&=\\+\\$,\\.a-zA-Z0-9_][\\-;:&=\\+\\$,\\"\\.a-zA-Z0-9_]{0,63}';
  re.src_xn = "xn--[a-z0-9\\-]{1,59}";
  re.src_domain_root = // Allow letters & digits (http://test1)
  "(?:" + re.src_xn + `|${re.src_pseudo_letter}{1,63})`;
  re.src_domain = "(?:" + re.src_xn + `|(?:${re.src_pseudo_letter})|(?:${re.src_pseudo_letter}(?:-|${re.src_pseudo_letter}){0,61}${re.src_pseudo_letter}))`;
  re.src_host = `(?:(?:(?:(?:${re.src_domain})\\.)*${re.src_domain}))`;
  re.tpl_host_fuzzy = "(?:" + re.src_ip4 + `|(?:(?:(?:${re.src_domain})\\.)+(?:%TLDS%)))`;
  re.tpl_host_no_ip_fuzzy = `(?:(?:(?:${re.src_domain})\\.)+(?:%TLDS%))`;
  re.src_host_strict = re.src_host + re.src_host_terminator;
  re.tpl_host_fuzzy_strict = re.tpl_host_fuzzy + re.src_host_terminator;
  re.src_host_port_strict = re.src_host + re.src_port + re.src_host_terminator;
  re.tpl_host_port_fuzzy_strict = re.tpl_host_fuzzy + re.src_port + re.src_host_terminator;
  re.tpl_host_port_no_ip_fuzzy_strict = re.tpl_host_no_ip_fuzzy + re.src_port + re.src_host_terminator;
  re.tpl_host_fuzzy_test = `localhost|www\\.|\\.\\d{1,3}\\.|(?:\\.(?:%TLDS%)(?:${re.src_ZPCc}|>|$))`;
  re.tpl_email_fuzzy = `(^|${text_separators}|"|\\(|${re.src_ZCc})(${re.src_email_name}@${re.tpl_host_fuzzy_strict})`;
  re.tpl_link_fuzzy = // Fuzzy link can't be prepended with .:/\- and non punctuation.
  // but can start with > (markdown blockquote)
  `(^|(?![.:/\\-_@])(?:[$+<=>^\`|｜]|${re.src_ZPCc}))((?![$+<=>^\`|｜])${re.tpl_host_port_fuzzy_strict}${re.src_path})`;
  re.tpl_link_no_ip_fuzzy = // Fuzzy link can't be prepended with .:/\- and non punctuation.
  // but can start with > (markdown blockquote)
  `(^|(?![.:/\\-_@])(?:[$+<=>^\`|｜]|${re.src_ZPCc}))((?![$+<=>^\`|｜])${re.tpl_host_port_no_ip_fuzzy_strict}${re.src_path})`;
  return re;
}

// linkify-it/index.mjs
function assign2(obj) {
  const sources = Array.prototype.slice.call(arguments, 1);
  sources.forEach(function(source) {
    if (!source) {
      return;
    }
    Object.keys(source).forEach(function(key) {
      obj[key] = source[key];
    });
  });
  return obj;
}
function _class2(obj) {
  return Object.prototype.toString.call(obj);
}
function isString2(obj) {
  return _class2(obj) === "[object String]";
}
function isObject(obj) {
  return _class2(obj) === "[object Object]";
}
function isRegExp(obj) {
  return _class2(obj) === "[object RegExp]";
}
function isFunction(obj) {
  return _class2(obj) === "[object Function]";
}
function escapeRE2(str) {
  return str.replace(/[.?*+^$[\]\\(){}|-]/g, "\\$&");
}
var defaultOptions = {
  fuzzyLink: true,
  fuzzyEmail: true,
  fuzzyIP: false
};
function isOptionsObj(obj) {
  return Object.keys(obj || {}).reduce(function(acc, k) {
    return acc || defaultOptions.hasOwnProperty(k);
  }, false);
}
var defaultSchemas = {
  "http:": {
    validate: function(text2, pos, self) {
      const tail2 = text2.slice(pos);
      if (!self.re.http) {
        self.re.http = new RegExp(
          `^\\/\\/${self.re.src_auth}${self.re.src_host_port_strict}${self.re.src_path}`,
          "i"
        );
      }
      if (self.re.http.test(tail2)) {
        return tail2.match(self.re.http)[0].length;
      }
      return 0;
    }
  },
  "https:": "http:",
  "ftp:": "http:",
  "//": {
    validate: function(text2, pos, self) {
      const tail2 = text2.slice(pos);
      if (!self.re.no_http) {
        self.re.no_http = new RegExp(
          "^" + self.re.src_auth + // Don't allow single-level domains, because of false positives like '//test'
          // with code comments
          `(?:localhost|(?:(?:${self.re.src_domain})\\.)+${self.re.src_domain_root})` + self.re.src_port + self.re.src_host_terminator + self.re.src_path,
          "i"
        );
      }
      if (self.re.no_http.test(tail2)) {
        if (pos >= 3 && text2[pos - 3] === ":") {
          return 0;
        }
        if (pos >= 3 && text2[pos - 3] === "/") {
          return 0;
        }
        return tail2.match(self.re.no_http)[0].length;
      }
      return 0;
    }
  },
  "mailto:": {
    validate: function(text2, pos, self) {
      const tail2 = text2.slice(pos);
      if (!self.re.mailto) {
        self.re.mailto = new RegExp(
          `^${self.re.src_email_name}@${self.re.src_host_strict}`,
          "i"
        );
      }
      if (self.re.mailto.test(tail2)) {
        return tail2.match(self.re.mailto)[0].length;
      }
      return 0;
    }
  }
};
var tlds_2ch_src_re = "a[cdefgilmnoqrstuwxz]|b[abdefghijmnorstvwyz]|c[acdfghiklmnoruvwxyz]|d[ejkmoz]|e[cegrstu]|f[ijkmor]|g[abdefghilmnpqrstuwy]|h[kmnrtu]|i[delmnoqrst]|j[emop]|k[eghimnprwyz]|l[abcikrstuvy]|m[acdeghklmnopqrstuvwxyz]|n[acefgilopruz]|om|p[aefghklmnrstwy]|qa|r[eosuw]|s[abcdeghijklmnortuvxyz]|t[cdfghjklmnortvwz]|u[agksyz]|v[aceginu]|w[fs]|y[et]|z[amw]";
var tlds_default = "biz|com|edu|gov|net|org|pro|web|xxx|aero|asia|coop|info|museum|name|shop|рф".split("|");
function createValidator(re) {
  return function(text2, pos) {
    const tail2 = text2.slice(pos);
    if (re.test(tail2)) {
      return tail2.match(re)[0].length;
    }
    return 0;
  };
}
function createNormalizer() {
  return function(match2, self) {
    self.normalize(match2);
  };
}
function compile(self) {
  const re = self.re = re_default(self.__opts__);
  const tlds2 = self.__tlds__.slice();
  self.onCompile();
  if (!self.__tlds_replaced__) {
    tlds2.push(tlds_2ch_src_re);
  }
  tlds2.push(re.src_xn);
  re.src_tlds = tlds2.join("|");
  function untpl(tpl) {
    return tpl.replace("%TLDS%", re.src_tlds);
  }
  re.email_fuzzy = RegExp(untpl(re.tpl_email_fuzzy), "i");
  re.email_fuzzy_global = RegExp(untpl(re.tpl_email_fuzzy), "ig");
  re.link_fuzzy = RegExp(untpl(re.tpl_link_fuzzy), "i");
  re.link_fuzzy_global = RegExp(untpl(re.tpl_link_fuzzy), "ig");
  re.link_no_ip_fuzzy = RegExp(untpl(re.tpl_link_no_ip_fuzzy), "i");
  re.link_no_ip_fuzzy_global = RegExp(untpl(re.tpl_link_no_ip_fuzzy), "ig");
  re.host_fuzzy_test = RegExp(untpl(re.tpl_host_fuzzy_test), "i");
  const aliases = [];
  self.__compiled__ = {};
  function schemaError(name, val) {
    throw new Error(`(LinkifyIt) Invalid schema "${name}": ${val}`);
  }
  Object.keys(self.__schemas__).forEach(function(name) {
    const val = self.__schemas__[name];
    if (val === null) {
      return;
    }
    const compiled = { validate: null, link: null };
    self.__compiled__[name] = compiled;
    if (isObject(val)) {
      if (isRegExp(val.validate)) {
        compiled.validate = createValidator(val.validate);
      } else if (isFunction(val.validate)) {
        compiled.validate = val.validate;
      } else {
        schemaError(name, val);
      }
      if (isFunction(val.normalize)) {
        compiled.normalize = val.normalize;
      } else if (!val.normalize) {
        compiled.normalize = createNormalizer();
      } else {
        schemaError(name, val);
      }
      return;
    }
    if (isString2(val)) {
      aliases.push(name);
      return;
    }
    schemaError(name, val);
  });
  aliases.forEach(function(alias) {
    if (!self.__compiled__[self.__schemas__[alias]]) {
      return;
    }
    self.__compiled__[alias].validate = self.__compiled__[self.__schemas__[alias]].validate;
    self.__compiled__[alias].normalize = self.__compiled__[self.__schemas__[alias]].normalize;
  });
  self.__compiled__[""] = { validate: null, normalize: createNormalizer() };
  const slist = Object.keys(self.__compiled__).filter(function(name) {
    return name.length > 0 && self.__compiled__[name];
  }).map(escapeRE2).join("|");
  self.re.schema_test = RegExp(`(^|(?!_)(?:[><｜]|${re.src_ZPCc}))(${slist})`, "i");
  self.re.schema_search = RegExp(`(^|(?!_)(?:[><｜]|${re.src_ZPCc}))(${slist})`, "ig");
  self.re.schema_at_start = RegExp(`^${self.re.schema_search.source}`, "i");
  self.re.pretest = RegExp(
    `(${self.re.schema_test.source})|(${self.re.host_fuzzy_test.source})|@`,
    "i"
  );
}
function Match(text2, schema, index, lastIndex) {
  const raw = text2.slice(index, lastIndex);
  this.schema = schema.toLowerCase();
  this.index = index;
  this.lastIndex = lastIndex;
  this.raw = raw;
  this.text = raw;
  this.url = raw;
}
function LinkifyIt(schemas, options) {
  if (!(this instanceof LinkifyIt)) {
    return new LinkifyIt(schemas, options);
  }
  if (!options) {
    if (isOptionsObj(schemas)) {
      options = schemas;
      schemas = {};
    }
  }
  this.__opts__ = assign2({}, defaultOptions, options);
  this.__schemas__ = assign2({}, defaultSchemas, schemas);
  this.__compiled__ = {};
  this.__tlds__ = tlds_default;
  this.__tlds_replaced__ = false;
  this.re = {};
  compile(this);
}
LinkifyIt.prototype.add = function add(schema, definition) {
  this.__schemas__[schema] = definition;
  compile(this);
  return this;
};
LinkifyIt.prototype.set = function set(options) {
  this.__opts__ = assign2(this.__opts__, options);
  return this;
};
LinkifyIt.prototype.test = function test(text2) {
  if (!text2.length) {
    return false;
  }
  let m, re;
  if (this.re.schema_test.test(text2)) {
    re = this.re.schema_search;
    re.lastIndex = 0;
    while ((m = re.exec(text2)) !== null) {
      if (this.testSchemaAt(text2, m[2], re.lastIndex)) {
        return true;
      }
    }
  }
  if (this.__opts__.fuzzyLink && this.__compiled__["http:"]) {
    if (text2.search(this.re.host_fuzzy_test) >= 0) {
      if (text2.match(this.__opts__.fuzzyIP ? this.re.link_fuzzy : this.re.link_no_ip_fuzzy) !== null) {
        return true;
      }
    }
  }
  if (this.__opts__.fuzzyEmail && this.__compiled__["mailto:"]) {
    if (text2.indexOf("@") >= 0) {
      if (text2.match(this.re.email_fuzzy) !== null) {
        return true;
      }
    }
  }
  return false;
};
LinkifyIt.prototype.pretest = function pretest(text2) {
  return this.re.pretest.test(text2);
};
LinkifyIt.prototype.testSchemaAt = function testSchemaAt(text2, schema, pos) {
  if (!this.__compiled__[schema.toLowerCase()]) {
    return 0;
  }
  return this.__compiled__[schema.toLowerCase()].validate(text2, pos, this);
};
LinkifyIt.prototype.match = function match(text2) {
  const result = [];
  const type_schemed = [];
  const type_fuzzy_link = [];
  const type_fuzzy_email = [];
  let m, len, re;
  function choose(a, b) {
    if (!a) {
      return b;
    }
    if (!b) {
      return a;
    }
    if (a.index !== b.index) {
      return a.index < b.index ? a : b;
    }
    return a.lastIndex >= b.lastIndex ? a : b;
  }
  if (!text2.length) {
    return null;
  }
  if (this.re.schema_test.test(text2)) {
    re = this.re.schema_search;
    re.lastIndex = 0;
    while ((m = re.exec(text2)) !== null) {
      len = this.testSchemaAt(text2, m[2], re.lastIndex);
      if (len) {
        type_schemed.push({
          schema: m[2],
          index: m.index + m[1].length,
          lastIndex: m.index + m[0].length + len
        });
      }
    }
  }
  if (this.__opts__.fuzzyLink && this.__compiled__["http:"]) {
    re = this.__opts__.fuzzyIP ? this.re.link_fuzzy_global : this.re.link_no_ip_fuzzy_global;
    re.lastIndex = 0;
    while ((m = re.exec(text2)) !== null) {
      type_fuzzy_link.push({
        schema: "",
        index: m.index + m[1].length,
        lastIndex: m.index + m[0].length
      });
    }
  }
  if (this.__opts__.fuzzyEmail && this.__compiled__["mailto:"]) {
    re = this.re.email_fuzzy_global;
    re.lastIndex = 0;
    while ((m = re.exec(text2)) !== null) {
      type_fuzzy_email.push({
        schema: "mailto:",
        index: m.index + m[1].length,
        lastIndex: m.index + m[0].length
      });
    }
  }
  const indexes = [0, 0, 0];
  let lastIndex = 0;
  for (; ; ) {
    const candidates = [
      type_schemed[indexes[0]],
      type_fuzzy_email[indexes[1]],
      type_fuzzy_link[indexes[2]]
    ];
    const candidate = choose(choose(candidates[0], candidates[1]), candidates[2]);
    if (!candidate) {
      break;
    }
    if (candidate === candidates[0]) {
      indexes[0]++;
    } else if (candidate === candidates[1]) {
      indexes[1]++;
    } else {
      indexes[2]++;
    }
    if (candidate.index < lastIndex) {
      continue;
    }
    const match2 = new Match(text2, candidate.schema, candidate.index, candidate.lastIndex);
    this.__compiled__[match2.schema].normalize(match2, this);
    result.push(match2);
    lastIndex = candidate.lastIndex;
  }
  if (result.length) {
    return result;
  }
  return null;
};
LinkifyIt.prototype.matchAtStart = function matchAtStart(text2) {
  if (!text2.length) return null;
  const m = this.re.schema_at_start.exec(text2);
  if (!m) return null;
  const len = this.testSchemaAt(text2, m[2], m[0].length);
  if (!len) return null;
  const match2 = new Match(text2, m[2], m.index + m[1].length, m.index + m[0].length + len);
  this.__compiled__[match2.schema].normalize(match2, this);
  return match2;
};
LinkifyIt.prototype.tlds = function tlds(list2, keepOld) {
  list2 = Array.isArray(list2) ? list2 : [list2];
  if (!keepOld) {
    this.__tlds__ = list2.slice();
    this.__tlds_replaced__ = true;
    compile(this);
    return this;
  }
  this.__tlds__ = this.__tlds__.concat(list2).sort().filter(function(el, idx, arr) {
    return el !== arr[idx - 1];
  }).reverse();
  compile(this);
  return this;
};
LinkifyIt.prototype.normalize = function normalize2(match2) {
  if (!match2.schema) {
    match2.url = `http://${match2.url}`;
  }
  if (match2.schema === "mailto:" && !/^mailto:/i.test(match2.url)) {
    match2.url = `mailto:${match2.url}`;
  }
};
LinkifyIt.prototype.onCompile = function onCompile() {
};
var linkify_it_default = LinkifyIt;

// punycode.js/punycode.es6.js
var maxInt = 2147483647;
var base = 36;
var tMin = 1;
var tMax = 26;
var skew = 38;
var damp = 700;
var initialBias = 72;
var initialN = 128;
var delimiter = "-";
var regexPunycode = /^xn--/;
var regexNonASCII = /[^\0-\x7F]/;
var regexSeparators = /[\x2E\u3002\uFF0E\uFF61]/g;
var errors = {
  "overflow": "Overflow: input needs wider integers to process",
  "not-basic": "Illegal input >= 0x80 (not a basic code point)",
  "invalid-input": "Invalid input"
};
var baseMinusTMin = base - tMin;
var floor = Math.floor;
var stringFromCharCode = String.fromCharCode;
function error(type) {
  throw new RangeError(errors[type]);
}
function map(array, callback) {
  const result = [];
  let length = array.length;
  while (length--) {
    result[length] = callback(array[length]);
  }
  return result;
}
function mapDomain(domain, callback) {
  const parts = domain.split("@");
  let result = "";
  if (parts.length > 1) {
    result = parts[0] + "@";
    domain = parts[1];
  }
  domain = domain.replace(regexSeparators, ".");
  const labels = domain.split(".");
  const encoded = map(labels, callback).join(".");
  return result + encoded;
}
function ucs2decode(string) {
  const output = [];
  let counter = 0;
  const length = string.length;
  while (counter < length) {
    const value = string.charCodeAt(counter++);
    if (value >= 55296 && value <= 56319 && counter < length) {
      const extra = string.charCodeAt(counter++);
      if ((extra & 64512) == 56320) {
        output.push(((value & 1023) << 10) + (extra & 1023) + 65536);
      } else {
        output.push(value);
        counter--;
      }
    } else {
      output.push(value);
    }
  }
  return output;
}
var ucs2encode = (codePoints) => String.fromCodePoint(...codePoints);
var basicToDigit = function(codePoint) {
  if (codePoint >= 48 && codePoint < 58) {
    return 26 + (codePoint - 48);
  }
  if (codePoint >= 65 && codePoint < 91) {
    return codePoint - 65;
  }
  if (codePoint >= 97 && codePoint < 123) {
    return codePoint - 97;
  }
  return base;
};
var digitToBasic = function(digit, flag) {
  return digit + 22 + 75 * (digit < 26) - ((flag != 0) << 5);
};
var adapt = function(delta, numPoints, firstTime) {
  let k = 0;
  delta = firstTime ? floor(delta / damp) : delta >> 1;
  delta += floor(delta / numPoints);
  for (; delta > baseMinusTMin * tMax >> 1; k += base) {
    delta = floor(delta / baseMinusTMin);
  }
  return floor(k + (baseMinusTMin + 1) * delta / (delta + skew));
};
var decode2 = function(input) {
  const output = [];
  const inputLength = input.length;
  let i = 0;
  let n = initialN;
  let bias = initialBias;
  let basic = input.lastIndexOf(delimiter);
  if (basic < 0) {
    basic = 0;
  }
  for (let j = 0; j < basic; ++j) {
    if (input.charCodeAt(j) >= 128) {
      error("not-basic");
    }
    output.push(input.charCodeAt(j));
  }
  for (let index = basic > 0 ? basic + 1 : 0; index < inputLength; ) {
    const oldi = i;
    for (let w = 1, k = base; ; k += base) {
      if (index >= inputLength) {
        error("invalid-input");
      }
      const digit = basicToDigit(input.charCodeAt(index++));
      if (digit >= base) {
        error("invalid-input");
      }
      if (digit > floor((maxInt - i) / w)) {
        error("overflow");
      }
      i += digit * w;
      const t = k <= bias ? tMin : k >= bias + tMax ? tMax : k - bias;
      if (digit < t) {
        break;
      }
      const baseMinusT = base - t;
      if (w > floor(maxInt / baseMinusT)) {
        error("overflow");
      }
      w *= baseMinusT;
    }
    const out = output.length + 1;
    bias = adapt(i - oldi, out, oldi == 0);
    if (floor(i / out) > maxInt - n) {
      error("overflow");
    }
    n += floor(i / out);
    i %= out;
    output.splice(i++, 0, n);
  }
  return String.fromCodePoint(...output);
};
var encode2 = function(input) {
  const output = [];
  input = ucs2decode(input);
  const inputLength = input.length;
  let n = initialN;
  let delta = 0;
  let bias = initialBias;
  for (const currentValue of input) {
    if (currentValue < 128) {
      output.push(stringFromCharCode(currentValue));
    }
  }
  const basicLength = output.length;
  let handledCPCount = basicLength;
  if (basicLength) {
    output.push(delimiter);
  }
  while (handledCPCount < inputLength) {
    let m = maxInt;
    for (const currentValue of input) {
      if (currentValue >= n && currentValue < m) {
        m = currentValue;
      }
    }
    const handledCPCountPlusOne = handledCPCount + 1;
    if (m - n > floor((maxInt - delta) / handledCPCountPlusOne)) {
      error("overflow");
    }
    delta += (m - n) * handledCPCountPlusOne;
    n = m;
    for (const currentValue of input) {
      if (currentValue < n && ++delta > maxInt) {
        error("overflow");
      }
      if (currentValue === n) {
        let q = delta;
        for (let k = base; ; k += base) {
          const t = k <= bias ? tMin : k >= bias + tMax ? tMax : k - bias;
          if (q < t) {
            break;
          }
          const qMinusT = q - t;
          const baseMinusT = base - t;
          output.push(
            stringFromCharCode(digitToBasic(t + qMinusT % baseMinusT, 0))
          );
          q = floor(qMinusT / baseMinusT);
        }
        output.push(stringFromCharCode(digitToBasic(q, 0)));
        bias = adapt(delta, handledCPCountPlusOne, handledCPCount === basicLength);
        delta = 0;
        ++handledCPCount;
      }
    }
    ++delta;
    ++n;
  }
  return output.join("");
};
var toUnicode = function(input) {
  return mapDomain(input, function(string) {
    return regexPunycode.test(string) ? decode2(string.slice(4).toLowerCase()) : string;
  });
};
var toASCII = function(input) {
  return mapDomain(input, function(string) {
    return regexNonASCII.test(string) ? "xn--" + encode2(string) : string;
  });
};
var punycode = {
  /**
   * A string representing the current Punycode.js version number.
   * @memberOf punycode
   * @type String
   */
  "version": "2.3.1",
  /**
   * An object of methods to convert from JavaScript's internal character
   * representation (UCS-2) to Unicode code points, and back.
   * @see <https://mathiasbynens.be/notes/javascript-encoding>
   * @memberOf punycode
   * @type Object
   */
  "ucs2": {
    "decode": ucs2decode,
    "encode": ucs2encode
  },
  "decode": decode2,
  "encode": encode2,
  "toASCII": toASCII,
  "toUnicode": toUnicode
};
var punycode_es6_default = punycode;

// markdown-it/lib/presets/default.mjs
var default_default = {
  options: {
    // Enable HTML tags in source
    html: false,
    // Use '/' to close single tags (<br />)
    xhtmlOut: false,
    // Convert '\n' in paragraphs into <br>
    breaks: false,
    // CSS language prefix for fenced blocks
    langPrefix: "language-",
    // autoconvert URL-like texts to links
    linkify: false,
    // Enable some language-neutral replacements + quotes beautification
    typographer: false,
    // Double + single quotes replacement pairs, when typographer enabled,
    // and smartquotes on. Could be either a String or an Array.
    //
    // For example, you can use '«»„“' for Russian, '„“‚‘' for German,
    // and ['«\xA0', '\xA0»', '‹\xA0', '\xA0›'] for French (including nbsp).
    quotes: "“”‘’",
    /* “”‘’ */
    // Highlighter function. Should return escaped HTML,
    // or '' if the source string is not changed and should be escaped externaly.
    // If result starts with <pre... internal wrapper is skipped.
    //
    // function (/*str, lang*/) { return ''; }
    //
    highlight: null,
    // Internal protection, recursion limit
    maxNesting: 100
  },
  components: {
    core: {},
    block: {},
    inline: {}
  }
};

// markdown-it/lib/presets/zero.mjs
var zero_default = {
  options: {
    // Enable HTML tags in source
    html: false,
    // Use '/' to close single tags (<br />)
    xhtmlOut: false,
    // Convert '\n' in paragraphs into <br>
    breaks: false,
    // CSS language prefix for fenced blocks
    langPrefix: "language-",
    // autoconvert URL-like texts to links
    linkify: false,
    // Enable some language-neutral replacements + quotes beautification
    typographer: false,
    // Double + single quotes replacement pairs, when typographer enabled,
    // and smartquotes on. Could be either a String or an Array.
    //
    // For example, you can use '«»„“' for Russian, '„“‚‘' for German,
    // and ['«\xA0', '\xA0»', '‹\xA0', '\xA0›'] for French (including nbsp).
    quotes: "“”‘’",
    /* “”‘’ */
    // Highlighter function. Should return escaped HTML,
    // or '' if the source string is not changed and should be escaped externaly.
    // If result starts with <pre... internal wrapper is skipped.
    //
    // function (/*str, lang*/) { return ''; }
    //
    highlight: null,
    // Internal protection, recursion limit
    maxNesting: 20
  },
  components: {
    core: {
      rules: [
        "normalize",
        "block",
        "inline",
        "text_join"
      ]
    },
    block: {
      rules: [
        "paragraph"
      ]
    },
    inline: {
      rules: [
        "text"
      ],
      rules2: [
        "balance_pairs",
        "fragments_join"
      ]
    }
  }
};

// markdown-it/lib/presets/commonmark.mjs
var commonmark_default = {
  options: {
    // Enable HTML tags in source
    html: true,
    // Use '/' to close single tags (<br />)
    xhtmlOut: true,
    // Convert '\n' in paragraphs into <br>
    breaks: false,
    // CSS language prefix for fenced blocks
    langPrefix: "language-",
    // autoconvert URL-like texts to links
    linkify: false,
    // Enable some language-neutral replacements + quotes beautification
    typographer: false,
    // Double + single quotes replacement pairs, when typographer enabled,
    // and smartquotes on. Could be either a String or an Array.
    //
    // For example, you can use '«»„“' for Russian, '„“‚‘' for German,
    // and ['«\xA0', '\xA0»', '‹\xA0', '\xA0›'] for French (including nbsp).
    quotes: "“”‘’",
    /* “”‘’ */
    // Highlighter function. Should return escaped HTML,
    // or '' if the source string is not changed and should be escaped externaly.
    // If result starts with <pre... internal wrapper is skipped.
    //
    // function (/*str, lang*/) { return ''; }
    //
    highlight: null,
    // Internal protection, recursion limit
    maxNesting: 20
  },
  components: {
    core: {
      rules: [
        "normalize",
        "block",
        "inline",
        "text_join"
      ]
    },
    block: {
      rules: [
        "blockquote",
        "code",
        "fence",
        "heading",
        "hr",
        "html_block",
        "lheading",
        "list",
        "reference",
        "paragraph"
      ]
    },
    inline: {
      rules: [
        "autolink",
        "backticks",
        "emphasis",
        "entity",
        "escape",
        "html_inline",
        "image",
        "link",
        "newline",
        "text"
      ],
      rules2: [
        "balance_pairs",
        "emphasis",
        "fragments_join"
      ]
    }
  }
};

// markdown-it/lib/index.mjs
var config = {
  default: default_default,
  zero: zero_default,
  commonmark: commonmark_default
};
var BAD_PROTO_RE = /^(vbscript|javascript|file|data):/;
var GOOD_DATA_RE = /^data:image\/(gif|png|jpeg|webp);/;
function validateLink(url) {
  const str = url.trim().toLowerCase();
  return BAD_PROTO_RE.test(str) ? GOOD_DATA_RE.test(str) : true;
}
var RECODE_HOSTNAME_FOR = ["http:", "https:", "mailto:"];
function normalizeLink(url) {
  const parsed2 = parse_default(url, true);
  if (parsed2.hostname) {
    if (!parsed2.protocol || RECODE_HOSTNAME_FOR.indexOf(parsed2.protocol) >= 0) {
      try {
        parsed2.hostname = punycode_es6_default.toASCII(parsed2.hostname);
      } catch (er) {
      }
    }
  }
  return encode_default(format(parsed2));
}
function normalizeLinkText(url) {
  const parsed2 = parse_default(url, true);
  if (parsed2.hostname) {
    if (!parsed2.protocol || RECODE_HOSTNAME_FOR.indexOf(parsed2.protocol) >= 0) {
      try {
        parsed2.hostname = punycode_es6_default.toUnicode(parsed2.hostname);
      } catch (er) {
      }
    }
  }
  return decode_default(format(parsed2), decode_default.defaultChars + "%");
}
function MarkdownIt(presetName, options) {
  if (!(this instanceof MarkdownIt)) {
    return new MarkdownIt(presetName, options);
  }
  if (!options) {
    if (!isString(presetName)) {
      options = presetName || {};
      presetName = "default";
    }
  }
  this.inline = new parser_inline_default();
  this.block = new parser_block_default();
  this.core = new parser_core_default();
  this.renderer = new renderer_default();
  this.linkify = new linkify_it_default();
  this.validateLink = validateLink;
  this.normalizeLink = normalizeLink;
  this.normalizeLinkText = normalizeLinkText;
  this.utils = utils_exports;
  this.helpers = assign({}, helpers_exports);
  this.options = {};
  this.configure(presetName);
  if (options) {
    this.set(options);
  }
}
MarkdownIt.prototype.set = function(options) {
  assign(this.options, options);
  return this;
};
MarkdownIt.prototype.configure = function(presets) {
  const self = this;
  if (isString(presets)) {
    const presetName = presets;
    presets = config[presetName];
    if (!presets) {
      throw new Error('Wrong `markdown-it` preset "' + presetName + '", check name');
    }
  }
  if (!presets) {
    throw new Error("Wrong `markdown-it` preset, can't be empty");
  }
  if (presets.options) {
    self.set(presets.options);
  }
  if (presets.components) {
    Object.keys(presets.components).forEach(function(name) {
      if (presets.components[name].rules) {
        self[name].ruler.enableOnly(presets.components[name].rules);
      }
      if (presets.components[name].rules2) {
        self[name].ruler2.enableOnly(presets.components[name].rules2);
      }
    });
  }
  return this;
};
MarkdownIt.prototype.enable = function(list2, ignoreInvalid) {
  let result = [];
  if (!Array.isArray(list2)) {
    list2 = [list2];
  }
  ["core", "block", "inline"].forEach(function(chain) {
    result = result.concat(this[chain].ruler.enable(list2, true));
  }, this);
  result = result.concat(this.inline.ruler2.enable(list2, true));
  const missed = list2.filter(function(name) {
    return result.indexOf(name) < 0;
  });
  if (missed.length && !ignoreInvalid) {
    throw new Error("MarkdownIt. Failed to enable unknown rule(s): " + missed);
  }
  return this;
};
MarkdownIt.prototype.disable = function(list2, ignoreInvalid) {
  let result = [];
  if (!Array.isArray(list2)) {
    list2 = [list2];
  }
  ["core", "block", "inline"].forEach(function(chain) {
    result = result.concat(this[chain].ruler.disable(list2, true));
  }, this);
  result = result.concat(this.inline.ruler2.disable(list2, true));
  const missed = list2.filter(function(name) {
    return result.indexOf(name) < 0;
  });
  if (missed.length && !ignoreInvalid) {
    throw new Error("MarkdownIt. Failed to disable unknown rule(s): " + missed);
  }
  return this;
};
MarkdownIt.prototype.use = function(plugin) {
  const args = [this].concat(Array.prototype.slice.call(arguments, 1));
  plugin.apply(plugin, args);
  return this;
};
MarkdownIt.prototype.parse = function(src, env) {
  if (typeof src !== "string") {
    throw new Error("Input data should be a String");
  }
  const state = new this.core.State(src, this, env);
  this.core.process(state);
  return state.tokens;
};
MarkdownIt.prototype.render = function(src, env) {
  env = env || {};
  return this.renderer.render(this.parse(src, env), this.options, env);
};
MarkdownIt.prototype.parseInline = function(src, env) {
  const state = new this.core.State(src, this, env);
  state.inlineMode = true;
  this.core.process(state);
  return state.tokens;
};
MarkdownIt.prototype.renderInline = function(src, env) {
  env = env || {};
  return this.renderer.render(this.parseInline(src, env), this.options, env);
};
var lib_default = MarkdownIt;

// src/markdown.js
var import_obsidian9 = require("obsidian");
var parser = new lib_default({ html: false, linkify: false, breaks: true });
var PLAIN = /* @__PURE__ */ new Set([
  "p",
  "strong",
  "em",
  "s",
  "blockquote",
  "ul",
  "li",
  "table",
  "thead",
  "tbody",
  "tr",
  "th",
  "td",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6"
]);
var OPENED = /^(?:https?|mailto|obsidian):/i;
parser.validateLink = () => true;
parser.inline.ruler.before("link", "wikilink", (state, silent) => {
  const found = /^\[\[([^[\]|\n]{1,400})(?:\|([^[\]\n]{1,400}))?\]\]/.exec(state.src.slice(state.pos, state.pos + 810));
  if (!found) {
    return false;
  }
  if (!silent) {
    const token = state.push("wikilink", "", 0);
    token.content = found[2] ?? found[1];
    token.info = found[1];
  }
  state.pos += found[0].length;
  return true;
});
parser.inline.ruler.before("escape", "math", (state, silent) => {
  if (state.src[state.pos] !== "$") {
    return false;
  }
  const found = /^\$\$([^$]{1,4000})\$\$|^\$([^\s$](?:[^$\n]{0,400}[^\s$])?)\$(?!\d)/.exec(state.src.slice(state.pos, state.pos + 4004));
  if (!found) {
    return false;
  }
  if (!silent) {
    const token = state.push("math", "", 0);
    token.content = found[1] ?? found[2];
    token.block = found[1] !== void 0;
  }
  state.pos += found[0].length;
  return true;
});
parser.core.ruler.push("tasks", (state) => {
  state.tokens.forEach((token, at) => {
    const first = token.type === "inline" && state.tokens[at - 2]?.type === "list_item_open" ? token.children?.[0] : void 0;
    if (first?.type === "text") {
      first.content = first.content.replace(/^\[ \](?= )/, "☐").replace(/^\[[xX]\](?= )/, "☑");
    }
  });
});
function showMarkdown(parent, text2, open) {
  parent.empty();
  const math = { any: false };
  walk(parser.parse(text2, {}), parent, open, math);
  if (math.any) {
    void (0, import_obsidian9.finishRenderMath)();
  }
}
var prepareMath = () => (0, import_obsidian9.loadMathJax)();
function walk(tokens, parent, open, math) {
  const stack = [parent];
  for (const token of tokens) {
    const top = stack[stack.length - 1];
    if (token.nesting === 1) {
      stack.push(opened(token, top, open));
    } else if (token.nesting === -1) {
      stack.pop();
    } else if (token.type === "inline") {
      walk(token.children ?? [], top, open, math);
    } else {
      leaf(token, top, open, math);
    }
  }
}
function opened(token, top, open) {
  if (token.type === "paragraph_open" && token.hidden) {
    return top.createSpan();
  }
  if (token.type === "link_open") {
    return link2(top, String(token.attrGet("href") ?? ""), open);
  }
  if (token.type === "ordered_list_open") {
    const list2 = top.createEl("ol");
    list2.start = Number(token.attrGet("start") ?? 1);
    return list2;
  }
  return PLAIN.has(token.tag) ? top.createEl(
    /** @type {keyof HTMLElementTagNameMap} */
    token.tag
  ) : top.createSpan();
}
function leaf(token, top, open, math) {
  if (token.type === "softbreak" || token.type === "hardbreak") {
    top.createEl("br");
  } else if (token.type === "code_inline") {
    top.createEl("code", { text: token.content });
  } else if (token.type === "fence" || token.type === "code_block") {
    top.createEl("pre").createEl("code", { text: token.content, cls: "deepseedian-code" });
  } else if (token.type === "hr") {
    top.createEl("hr");
  } else if (token.type === "wikilink") {
    link2(top, `vault:${token.info}`, open).setText(token.content);
  } else if (token.type === "math") {
    formula(token, top, math);
  } else if (token.type === "image") {
    link2(top, String(token.attrGet("src") ?? ""), open).setText(token.content || String(token.attrGet("src") ?? ""));
  } else {
    top.appendText(token.content);
  }
}
function formula(token, top, math) {
  try {
    top.appendChild((0, import_obsidian9.renderMath)(token.content, token.block));
    math.any = true;
  } catch {
    top.createEl("code", { text: token.content });
  }
}
function link2(top, target, open) {
  const found = top.createEl("a");
  if (OPENED.test(target)) {
    found.href = target;
    found.addClass("external-link");
    found.setAttr("rel", "noopener nofollow");
    found.setAttr("target", "_blank");
  } else if (/^[a-z][a-z0-9+.-]*:/i.test(target) && !target.startsWith("vault:")) {
    found.addClass("deepseedian-dead");
  } else {
    const inside = target.startsWith("vault:") ? target.slice(6) : decoded(target);
    found.addClass("internal-link");
    found.setAttr("data-href", inside);
    found.setAttr("href", "#");
    found.onclick = (event) => {
      event.preventDefault();
      open(inside);
    };
  }
  return found;
}
function decoded(target) {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

// src/receipt.js
var MOST3 = 20;
async function showReceipt(plugin, id, openEntry) {
  const found = await plugin.tried(() => plugin.client.get(`/v1/receipts/${encodeURIComponent(id)}`));
  if (!found) {
    return;
  }
  const receipt = (
    /** @type {{offered?: Scored[], leftOut?: Scored[], reason?: string}} */
    found.receipt ?? {}
  );
  const offered = receipt.offered ?? [];
  const left = receipt.leftOut ?? [];
  const texts = await textsOf(plugin, [...offered, ...left].slice(0, MOST3));
  shown(plugin.app, say("Why these memories", "为什么用到这些记忆"), (content, modal) => {
    const drawn = { plugin, texts, question: String(found.question), receipt: id, open: (entry) => {
      modal.close();
      openEntry(entry);
    } };
    content.createDiv({ cls: "deepseedian-quote", text: drawn.question });
    if (receipt.reason) {
      content.createEl("p", { text: receipt.reason });
    }
    if (!offered.length) {
      emptyLine(content, say("No memory was offered.", "没有用到记忆。"));
    }
    offered.forEach((row) => drawRow(content, row, drawn, true));
    if (left.length) {
      content.createEl("h4", { text: say("Left out", "未采用") });
      left.forEach((row) => drawRow(content, row, drawn, false));
    }
    const whole2 = content.createEl("details");
    whole2.createEl("summary", { text: say("All the details (receipt)", "全部细节（回执）") });
    whole2.createEl("pre", { text: JSON.stringify(found, null, 1) });
  });
}
async function textsOf(plugin, rows) {
  const found = /* @__PURE__ */ new Map();
  await Promise.all(rows.map(async (row) => {
    try {
      found.set(row.id, String((await plugin.client.get(`/v1/entries/${encodeURIComponent(row.id)}`)).text));
    } catch {
      found.set(row.id, say("(no longer there)", "（已不在）"));
    }
  }));
  return found;
}
function drawRow(parent, row, drawn, offered) {
  const line = parent.createDiv({ cls: "deepseedian-card" });
  const name = line.createEl("a", { cls: "internal-link", text: (drawn.texts.get(row.id) ?? row.id).slice(0, 160), attr: { href: "#" } });
  name.onclick = (event) => {
    event.preventDefault();
    drawn.open(row.id);
  };
  line.createDiv({ cls: "deepseedian-meta", text: reasons(row).join(" · ") });
  if (!offered) {
    return;
  }
  const buttons = line.createDiv({ cls: "deepseedian-actions" });
  const word = (feedback) => async () => {
    const body = { id: row.id, feedback, question: drawn.question, receipt: drawn.receipt };
    if (await drawn.plugin.tried(() => drawn.plugin.client.post("/v1/feedback", body))) {
      buttons.empty();
      buttons.setText(say("Noted.", "已记下。"));
    }
  };
  textButton(buttons, say("Useful", "有用"), word("useful"));
  textButton(buttons, say("Wrong here", "这里不对"), word("wrong"));
}
function reasons(row) {
  const terms = (
    /** @type {string[]} */
    row.terms ?? []
  );
  return [
    row.topic,
    terms.length ? say("words: {0}", "词：{0}", terms.join(", ")) : "",
    row.cosine === void 0 ? "" : say("similarity {0}", "相似度 {0}", Number(Number(row.cosine).toFixed(2))),
    say("score {0}", "得分 {0}", Number(row.score).toFixed(1)),
    row.reason ? reasonName(String(row.reason)) : ""
  ].filter(Boolean);
}
function reasonName(reason) {
  const names = (
    /** @type {Record<string, [string, string]>} */
    {
      match: ["it matches", "匹配"],
      replaces: ["it replaces one that matches", "取代了匹配的条目"],
      pinned: ["pinned", "已置顶"],
      about_memory: ["the question is about memory", "问题问的是记忆"],
      fill: ["the next best", "次优补足"],
      min_coverage: ["too few words in common", "共同的词太少"],
      min_score: ["matches too weakly", "匹配太弱"],
      min_relevance: ["matches too weakly", "匹配太弱"],
      no_intent: ["the question does not ask for it", "问题没有问到"],
      trust: ["from a source that is not used by itself", "此来源不自动使用"],
      received: ["this chat has it already", "此会话已有"],
      superseded: ["replaced by a newer one", "已被更新的取代"],
      duplicate: ["says the same as another", "与另一条重复"],
      limit: ["there were enough already", "条数已满"],
      budget: ["no room was left", "篇幅已满"]
    }
  );
  return Object.hasOwn(names, reason) ? say(...names[reason]) : reason;
}

// src/turn.js
var import_obsidian10 = require("obsidian");
var DRAW_MS = 60;
var TurnView = class {
  /** @param {HTMLElement} parent @param {TurnHost} host @param {string} question @param {string} [id] */
  constructor(parent, host, question, id = "") {
    this.host = host;
    this.id = id;
    this.answer = "";
    this.thought = "";
    this.drawing = 0;
    this.cost = DRAW_MS;
    this.tools = /* @__PURE__ */ new Map();
    this.el = parent.createDiv({ cls: "deepseedian-turn", attr: { "data-turn": id } });
    this.el.createDiv({ cls: "deepseedian-question", text: question });
    this.notices = this.el.createDiv({ cls: "deepseedian-notices" });
    this.memory = this.el.createDiv({ cls: "deepseedian-used" });
    this.steps = this.el.createDiv({ cls: "deepseedian-steps" });
    this.text = this.el.createDiv({ cls: "deepseedian-answer", attr: { "aria-live": "polite" } });
    this.foot = this.el.createDiv({ cls: "deepseedian-foot" });
  }
  /** A kept turn. @param {Record<string, any>} turn */
  fill(turn) {
    const answers = (
      /** @type {{role: string, text: string}[]} */
      turn.messages.filter((message) => message.role === "assistant")
    );
    this.answer = answers.map((message) => message.text).join("\n\n");
    this.draw();
    const extra = (
      /** @type {Record<string, any>} */
      turn.extra ?? {}
    );
    this.end(String(turn.state), extra.usage, extra.error ? failureText(extra.error) : "");
  }
  /** @param {string} kind @param {Record<string, any>} data */
  take(kind, data) {
    if (kind === "turn") {
      this.id = String(data.turn);
      this.el.setAttr("data-turn", this.id);
    } else if (kind === "recall") {
      this.drawMemory(data);
    } else if (kind === "reasoning") {
      this.think(String(data.text));
    } else if (kind === "delta") {
      this.answer += String(data.text);
      this.later();
    } else if (kind === "tool") {
      this.tool(data);
    } else if (kind === "notice") {
      this.notices.createDiv({ text: String(data.text) });
    } else if (kind === "proposals") {
      textButton(this.notices, say("{0} to review", "{0} 条待审阅", data.proposals.length), () => this.host.review());
    } else if (kind === "error") {
      this.error = failureText(data);
    } else if (kind === "done") {
      this.answer = String(data.answer || this.answer);
      this.end(String(data.state), data.usage, this.error);
    }
  }
  later() {
    if (!this.drawing) {
      this.drawing = window.setTimeout(() => this.draw(), this.cost);
    }
  }
  draw() {
    window.clearTimeout(this.drawing);
    this.drawing = 0;
    const begun = performance.now();
    showMarkdown(this.text, this.answer, this.host.openLink);
    this.cost = Math.max(DRAW_MS, 4 * (performance.now() - begun));
  }
  /** @param {Record<string, any>} data */
  drawMemory(data) {
    const rows = (
      /** @type {{id: string, summary: string}[]} */
      data.index ?? []
    );
    this.memory.empty();
    if (!rows.length) {
      return;
    }
    const fold = this.memory.createEl("details");
    fold.createEl("summary", { text: say("Memory used: {0}", "用到的记忆：{0}", rows.length) });
    const list2 = fold.createEl("ul");
    rows.forEach((row) => {
      const link3 = list2.createEl("li").createEl("a", { text: row.summary, cls: "internal-link", attr: { href: "#" } });
      link3.onclick = (event) => {
        event.preventDefault();
        this.host.openEntry(row.id);
      };
    });
    if (data.receiptId) {
      textButton(fold, say("Why these?", "为什么是这些？"), () => this.host.openReceipt(String(data.receiptId)));
    }
  }
  /** @param {string} text */
  think(text2) {
    this.thought += text2;
    if (!this.thinking) {
      const fold = this.steps.createEl("details", { cls: "deepseedian-reasoning" });
      fold.createEl("summary", { text: say("Reasoning", "思考过程") });
      this.thinking = fold.createDiv();
    }
    this.thinking.setText(this.thought);
  }
  /** @param {Record<string, any>} data */
  tool(data) {
    const id = String(data.id);
    let fold = this.tools.get(id);
    if (!fold) {
      this.thought = this.thought && `${this.thought.trimEnd()}

`;
      fold = this.steps.createEl("details", { cls: "deepseedian-tool" });
      fold.createEl("summary", { text: toolName(String(data.name)), attr: { title: String(data.name) } });
      fold.createEl("pre", { text: String(data.arguments ?? "") });
      this.tools.set(id, fold);
    }
    fold.setAttr("data-state", String(data.state));
    if (data.preview) {
      fold.createEl("pre", { text: String(data.preview) });
    }
  }
  /** @param {string} state @param {Record<string, number> | undefined} usage @param {string} [error] */
  end(state, usage, error2) {
    this.draw();
    this.state = state;
    this.el.setAttr("data-state", state);
    this.foot.empty();
    const said = error2 || endedText(state);
    if (said) {
      this.foot.createDiv({ cls: state === "stopped" ? "deepseedian-meta" : "deepseedian-error", text: said });
    }
    const row = this.foot.createDiv({ cls: "deepseedian-actions" });
    if (usage && usage.input) {
      row.createSpan({ cls: "deepseedian-usage", text: usageText(usage) });
    }
    if (this.answer) {
      iconButton(row, "copy", say("Copy the answer", "复制回答"), () => this.copy());
    }
    if (state === "done" && this.id) {
      iconButton(row, "git-branch", say("Go on from here in a new chat", "从这里另开会话"), () => this.host.fork(this.id));
    } else if (state !== "done" && state !== "running") {
      textButton(row, say("Ask again", "重新提问"), () => this.host.again(), "deepseedian-again");
    }
    if (this.id) {
      iconButton(row, "list-tree", say("What happened in this turn", "这一轮发生了什么"), () => this.host.openTrace(this.id));
    }
  }
  async copy() {
    await this.el.win.navigator.clipboard.writeText(this.answer);
    new import_obsidian10.Notice(say("Copied", "已复制"));
  }
  close() {
    window.clearTimeout(this.drawing);
  }
};
function endedText(state) {
  if (state === "stopped") {
    return say("Stopped. What was answered is kept.", "已停止，已有的回答会保留。");
  }
  if (state === "interrupted") {
    return say("Interrupted: Deepseedian ended in the middle of the answer.", "中断：Deepseedian 在回答途中退出。");
  }
  return state === "failed" ? say("This question got no answer.", "这个问题没有得到回答。") : "";
}
function usageText(usage) {
  const cost = usage.cost === void 0 || usage.cost === null ? "" : say(", cost {0}", "，费用 {0}", Number(usage.cost.toPrecision(3)));
  const cached = usage.cached ? say(" ({0} from cache)", "（缓存 {0}）", usage.cached) : "";
  return say("Tokens: {0} in{1}, {2} out{3}", "词元：输入 {0}{1}，输出 {2}{3}", usage.input, cached, usage.output ?? 0, cost);
}

// src/chat.js
var CHAT = "deepseedian-chat";
var NEWEST_TURNS = 40;
var ChatView = class extends import_obsidian11.ItemView {
  /** @param {import("obsidian").WorkspaceLeaf} leaf @param {import("./main.js").default} plugin */
  constructor(leaf2, plugin) {
    super(leaf2);
    this.plugin = plugin;
    this.session = null;
    this.turns = [];
    this.asking = null;
    this.now = null;
    this.stopping = false;
  }
  getViewType() {
    return CHAT;
  }
  getDisplayText() {
    return say("Deepseedian chat", "Deepseedian 聊天");
  }
  getIcon() {
    return "messages-square";
  }
  async onOpen() {
    const root = this.contentEl;
    root.empty();
    root.addClass("deepseedian", "deepseedian-chat");
    this.head = root.createDiv({ cls: "deepseedian-head" });
    this.body = root.createDiv({ cls: "deepseedian-body" });
    this.idle = root.createDiv({ cls: "deepseedian-idle is-hidden" });
    const away2 = awayLine(root, this.plugin, say("What you write is kept.", "你写的内容会保留。"));
    this.hints = root.createDiv({ cls: "deepseedian-hints" });
    this.composer = new Composer(root, this.plugin, {
      send: (question) => this.send(question),
      stop: () => stop(this),
      keep: (draft) => this.plugin.drafts.keep(this.session?.id ?? "", draft)
    });
    this.ghost = new ChatGhost(this, this.composer.field, this.plugin.completion);
    this.registerDomEvent(this.composer.field, "input", () => showHints(this));
    this.register(this.plugin.link.on((kind, data) => {
      if (kind === "presence") {
        away2.show();
      } else if (kind === "idle.finished") {
        this.told(data);
      }
    }));
    this.registerEvent(this.app.workspace.on("active-leaf-change", () => this.composer?.drawChips()));
    this.registerEvent(this.app.workspace.on("file-open", () => this.composer?.drawChips()));
    this.registerInterval(window.setInterval(() => this.composer?.drawChips(), 2e3));
    void prepareMath();
    await this.show(this.plugin.lastSession());
  }
  async onClose() {
    this.asking?.abort();
    this.composer?.keep();
    this.turns.forEach((turn) => turn.close());
    this.contentEl.empty();
  }
  // The conversation
  /** @param {string} id empty for a new one */
  async show(id) {
    this.asking?.abort();
    this.session = null;
    this.clear();
    if (id) {
      await this.read(id);
    } else if (this.body) {
      emptyLine(this.body, say(
        "Ask anything. What fits from memory goes along and is shown above the answer. To keep a sentence, write /remember and the sentence.",
        "直接提问即可。相关的记忆会自动附上，并显示在回答上方。想记住一句话，请输入 /remember 加上内容。"
      )).addClass("deepseedian-welcome");
    }
    this.composer?.load(this.plugin.drafts.of(id));
    this.drawHead();
    this.plugin.keepSession(id);
  }
  /** @param {string} id */
  async read(id) {
    try {
      const found = (
        /** @type {import("./sessions.js").Session} */
        await this.plugin.client.get(path(id))
      );
      this.session = found;
      const turns = (
        /** @type {Record<string, any>[]} */
        found.conversation
      );
      if (turns.length > NEWEST_TURNS && this.body) {
        const button = textButton(this.body, say("Show {0} earlier turns", "显示更早的 {0} 轮", turns.length - NEWEST_TURNS), () => {
          this.clear();
          turns.forEach((turn) => this.drawTurn(turn));
        });
        button.addClass("deepseedian-earlier");
      }
      turns.slice(-NEWEST_TURNS).forEach((turn) => this.drawTurn(turn));
      this.toEnd();
    } catch (error2) {
      if (error2 instanceof WireError && error2.code === "not_found") {
        return;
      }
      this.session = /** @type {import("./sessions.js").Session} */
      { id, title: "", goal: "", reads: true, contributes: true };
      this.body?.createDiv({ cls: "deepseedian-empty", text: failureText(error2) });
    }
  }
  /** @param {Record<string, any>} turn */
  drawTurn(turn) {
    const asked = (
      /** @type {{role: string, text: string}[]} */
      turn.messages.filter((message) => message.role === "user")
    );
    this.turn(asked.map((message) => message.text).join("\n\n"), String(turn.id)).fill(turn);
  }
  /** @param {string} question @param {string} [id] */
  turn(question, id = "") {
    const host = {
      openLink: (link3) => void this.app.workspace.openLinkText(link3, ""),
      openEntry: (entry) => void this.plugin.openMemory({ entry }),
      openReceipt: (receipt) => void showReceipt(this.plugin, receipt, (entry) => void this.plugin.openMemory({ entry })),
      openTrace: (turn) => void this.plugin.openTrace(turn),
      fork: (turn) => void this.fork(turn),
      again: () => void ask(this, { text: "", context: {}, attachments: [], pinned: null }, true),
      review: () => void this.plugin.openReview()
    };
    this.body?.querySelector(".deepseedian-welcome")?.remove();
    const made = new TurnView(this.body ?? this.contentEl, host, question, id);
    this.turns.push(made);
    return made;
  }
  clear() {
    this.turns.forEach((turn) => turn.close());
    this.turns = [];
    this.body?.empty();
  }
  toEnd() {
    this.body?.scrollTo(0, this.body.scrollHeight);
  }
  drawHead() {
    const head2 = this.head;
    if (!head2) {
      return;
    }
    head2.empty();
    head2.createDiv({ cls: "deepseedian-title", text: this.session?.title || say("New chat", "新会话") });
    if (this.session?.goal) {
      head2.createDiv({ cls: "deepseedian-goal", text: say("Goal: {0}", "目标：{0}", this.session.goal) });
    }
    const row = head2.createDiv({ cls: "deepseedian-actions" });
    iconButton(row, "plus", say("New chat", "新会话"), () => this.show(""));
    iconButton(row, "history", say("Chats", "会话"), () => new SessionList(this.plugin, this.session?.id ?? "", (id) => void this.show(id)).open());
    iconButton(row, "sliders-horizontal", say("Goal and memory of this chat", "此会话的目标与记忆"), () => this.switches());
    iconButton(row, "list-checks", say("Review", "审阅"), () => this.plugin.openReview());
    iconButton(row, "brain", say("Memory", "记忆"), () => this.plugin.openMemory());
  }
  async switches() {
    const session = await this.ensured();
    if (session) {
      showSwitches(this.app, session, (change) => this.change(change));
    }
  }
  /** The session, made before its first turn when need be. */
  async ensured() {
    if (!this.session) {
      const made = await this.plugin.tried(() => this.plugin.client.post("/v1/sessions", {}));
      if (made) {
        this.session = /** @type {import("./sessions.js").Session} */
        made;
        this.plugin.keepSession(this.session.id);
      }
    }
    return this.session;
  }
  /** @param {Record<string, unknown>} change */
  async change(change) {
    const session = await this.ensured();
    const found = session && await this.plugin.tried(() => this.plugin.client.call("PATCH", path(session.id), change));
    if (found) {
      this.session = /** @type {import("./sessions.js").Session} */
      found;
      this.drawHead();
    }
    return found;
  }
  /** @param {string} turn */
  async fork(turn) {
    const session = this.session;
    const made = session && await this.plugin.tried(() => this.plugin.client.post(`${path(session.id)}/fork`, { turn }));
    if (made) {
      await this.show(String(made.id));
    }
  }
  // Asking
  /** @param {import("./composer.js").Question} question */
  async send(question) {
    const command = typed(question.text);
    this.hints?.empty();
    if (!command) {
      await ask(this, question, false);
      return;
    }
    const wrong = fault(command);
    if (wrong) {
      new import_obsidian11.Notice(wrong);
      this.composer?.giveBack(question);
    } else if (!await carryOut(this, command)) {
      this.composer?.giveBack(question);
    }
  }
  // Lines above the composer
  /** A consolidation that found something, told once. @param {Record<string, any>} data */
  told(data) {
    const count = Array.isArray(data.proposals) ? data.proposals.length : Number(data.proposals ?? 0);
    if (count && this.idle) {
      const line = this.idle;
      line.empty();
      line.removeClass("is-hidden");
      textButton(line, say("While you were away: {0} proposals", "你不在时：有 {0} 条提议", count), () => this.plugin.openReview());
      iconButton(line, "x", say("Dismiss", "关闭"), () => line.addClass("is-hidden"));
    }
  }
};

// src/complete.js
var import_commands2 = require("@codemirror/commands");
var import_language = require("@codemirror/language");
var import_state = require("@codemirror/state");
var import_view = require("@codemirror/view");
var import_obsidian12 = require("obsidian");
var BEFORE2 = 3e3;
var AFTER = 1e3;
var TITLE = 200;
var Ghost = class _Ghost extends import_view.WidgetType {
  /** @param {string} text */
  constructor(text2) {
    super();
    this.text = text2;
  }
  /** @param {WidgetType} other */
  eq(other) {
    return other instanceof _Ghost && other.text === this.text;
  }
  toDOM() {
    return createSpan({ cls: "deepseedian-ghost", text: this.text || " …", attr: { "aria-hidden": "true" } });
  }
};
var suggest = (
  /** @type {import("@codemirror/state").StateEffectType<Suggestion | null>} */
  import_state.StateEffect.define()
);
var suggested = import_state.StateField.define({
  create: () => (
    /** @type {Suggestion | null} */
    null
  ),
  update(value, transaction) {
    const told = transaction.effects.find((effect) => effect.is(suggest));
    if (told) {
      return told.value;
    }
    return transaction.docChanged || transaction.selection ? null : value;
  },
  provide: (field) => import_view.EditorView.decorations.from(field, (value) => value ? import_view.Decoration.set(import_view.Decoration.widget({ widget: new Ghost(value.text), side: 1 }).range(value.pos)) : import_view.Decoration.none)
});
var Asking = class {
  /** @param {EditorView} view @param {import("./completing.js").Completion} completion */
  constructor(view, completion) {
    this.view = view;
    this.completion = completion;
    this.timer = 0;
    this.call = null;
    completion.live.add(this);
  }
  /** @param {import("@codemirror/view").ViewUpdate} update */
  update(update) {
    if (update.docChanged || update.selectionSet) {
      this.stop();
    }
    if (update.docChanged && update.transactions.some((one) => one.isUserEvent("input.type"))) {
      this.later();
    }
  }
  destroy() {
    this.stop();
    this.completion.live.delete(this);
  }
  /** Ask when nothing is typed for a while, where the owner wants that. */
  later() {
    const pause2 = this.completion.notes ? this.completion.pause : 0;
    window.clearTimeout(this.timer);
    if (pause2) {
      this.timer = window.setTimeout(() => void this.ask(false), pause2);
    }
  }
  stop() {
    window.clearTimeout(this.timer);
    this.call?.abort();
    this.call = null;
  }
  /** Nothing is asked for or shown any more; for whoever is not within an update of the editor. */
  dismiss() {
    this.stop();
    this.show(null);
  }
  /** @param {Suggestion | null} value */
  show(value) {
    const now = this.view.state.field(suggested, false);
    if (value || now) {
      this.view.dispatch({ effects: value?.text ? [suggest.of(value), import_view.EditorView.announce.of(say("Suggestion: {0}", "建议：{0}", value.text))] : suggest.of(value) });
    }
  }
  /** @param {boolean} byHand whether the person asked outright, and is told why there is nothing */
  async ask(byHand) {
    this.stop();
    const { state } = this.view;
    const pos = state.selection.main.head;
    const reason = this.refusal() || (!byHand && /[\p{L}\p{N}]/u.test(state.doc.lineAt(pos).text.slice(pos - state.doc.lineAt(pos).from)) ? "amid" : "");
    if (reason) {
      this.completion.tell(reason, byHand);
      return;
    }
    const file = state.field(import_obsidian12.editorInfoField).file;
    const call = this.call = this.completion.begin(this);
    this.show(byHand ? { pos, text: "" } : null);
    const text2 = await this.completion.ask({
      before: tail(state.sliceDoc(0, pos), BEFORE2),
      after: head(state.sliceDoc(pos, pos + AFTER + 1), AFTER),
      title: head(file?.basename ?? "", TITLE),
      path: file?.path ?? ""
    }, call.signal, byHand);
    if (this.call === call) {
      this.call = null;
      const now = this.view.state;
      const same2 = now.doc.eq(state.doc) && now.selection.eq(state.selection) && now.field(import_obsidian12.editorInfoField).file === file;
      this.show(text2 && same2 && this.view.hasFocus && !this.view.composing && !now.readOnly ? { pos, text: text2 } : null);
    }
  }
  /** Why nothing may be asked for here; empty when it may. */
  refusal() {
    const { state, view } = { state: this.view.state, view: this.view };
    const { main, ranges } = state.selection;
    const file = state.field(import_obsidian12.editorInfoField, false)?.file;
    if (state.readOnly || !state.facet(import_view.EditorView.editable)) {
      return "read_only";
    }
    if (file?.extension !== "md") {
      return "no_note";
    }
    if (ranges.length > 1 || !main.empty) {
      return "selection";
    }
    if (view.composing || view.compositionStarted) {
      return "composing";
    }
    if (view.dom.closest(".cm-table-widget")) {
      return "table";
    }
    if (!(0, import_language.syntaxTreeAvailable)(state, main.head)) {
      return "unparsed";
    }
    return refusedPlace(state.sliceDoc(0, main.head), state.sliceDoc(main.head, main.head + 2 * AFTER)) || refusedNode(state, main.head);
  }
};
var NODES = [
  [/frontmatter/i, "front_matter"],
  [/code/i, "code"],
  [/math/i, "math"],
  [/table/i, "table"],
  [/comment/i, "comment"],
  [/html/i, "html"],
  [/link|url|image/i, "link"],
  [/hashtag|(?:^|[_-])tag(?:$|[_-])/i, "tag"],
  [/head(?:er|ing)/i, "heading"],
  [/horizontalrule|(?:^|_)hr(?:$|_)/i, "rule"]
];
function refusedNode(state, pos) {
  for (let node = (
    /** @type {import("@lezer/common").SyntaxNode | null} */
    (0, import_language.syntaxTree)(state).resolveInner(pos, -1)
  ); node; node = node.parent) {
    const { name, from, to } = node;
    const found = from < pos && pos < to ? NODES.find(([names]) => names.test(name)) : void 0;
    if (found) {
      return found[1];
    }
  }
  return "";
}
function ghostText(completion) {
  const asking = import_view.ViewPlugin.define((view) => new Asking(view, completion));
  const dismissed = (view) => view.plugin(asking)?.dismiss();
  const keydown = (event, view) => {
    const here = view.plugin(asking);
    const value = view.state.field(suggested, false);
    if (event.isComposing || event.keyCode === 229) {
      here?.dismiss();
      return false;
    }
    if (!here || !value || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) {
      return false;
    }
    if (event.key === "Escape") {
      here.dismiss();
      return true;
    }
    if (event.key !== "Tab" || !value.text) {
      return false;
    }
    view.dispatch({
      changes: { from: value.pos, insert: value.text },
      selection: { anchor: value.pos + value.text.length },
      scrollIntoView: true,
      userEvent: "input.complete",
      annotations: import_commands2.isolateHistory.of("full")
    });
    return true;
  };
  const events = import_state.Prec.highest(import_view.EditorView.domEventHandlers({
    keydown,
    blur: (_, view) => dismissed(view),
    compositionstart: (_, view) => dismissed(view),
    compositionend: (_, view) => view.plugin(asking)?.later()
  }));
  return { extension: [suggested, asking, events], ask: (view) => view.plugin(asking)?.ask(true) };
}

// src/completing.js
var import_obsidian13 = require("obsidian");

// src/reasons.js
var REASONS = {
  read_only: ["this note cannot be edited.", "此笔记不可编辑。"],
  no_note: ["only Markdown notes are completed.", "只在 Markdown 笔记中补全。"],
  selection: ["put one cursor where it should go on, with nothing selected.", "请把单个光标放在要续写的位置，不要选中文字。"],
  composing: ["an input method is composing.", "输入法正在输入。"],
  unparsed: ["the note is still being read.", "笔记还在解析。"],
  empty_line: ["write the beginning of the line first.", "请先写出这一行的开头。"],
  word: ["the cursor is inside a word.", "光标在单词中间。"],
  amid: ["the line goes on behind the cursor.", "光标后面还有文字。"],
  front_matter: ["not in properties.", "不在属性区补全。"],
  code: ["not in code.", "不在代码中补全。"],
  math: ["not in math.", "不在公式中补全。"],
  table: ["not in tables.", "不在表格中补全。"],
  comment: ["not in comments.", "不在注释中补全。"],
  html: ["not in HTML.", "不在 HTML 中补全。"],
  link: ["not in links, addresses or open brackets.", "不在链接、网址或未闭合的方括号中补全。"],
  tag: ["not in tags.", "不在标签中补全。"],
  heading: ["not in headings.", "不在标题中补全。"],
  rule: ["not on a rule.", "不在分隔线上补全。"],
  off: ["it is off. Switch on “complete” in the settings of Deepseedian.", "已关闭。可在 Deepseedian 设置中打开 complete。"],
  chat_off: ["it is off. Switch on “complete.chat” in the settings of Deepseedian.", "已关闭。可在 Deepseedian 设置中打开 complete.chat。"],
  disabled: ["Deepseedian is switched off in its settings.", "Deepseedian 已在设置中关闭。"],
  excluded: ["this note is excluded from it.", "此笔记不参与补全。"],
  unnamed: ["this note has no path yet.", "此笔记还没有路径。"],
  settings_unreadable: ["the notes it leaves out cannot be told: the settings cannot be read.", "设置无法读取，不知道哪些笔记不参与补全。"],
  nothing: ["write the beginning first.", "请先写出开头。"],
  busy: ["another one is under way.", "另一个补全正在进行。"],
  too_soon: ["they are two seconds apart.", "两次补全至少相隔两秒。"],
  minute: ["there were ten in the last minute.", "一分钟内已有十次。"],
  day: ["those of today are used up; they begin anew at midnight UTC.", "今天的次数已用完，UTC 零点重新计算。"],
  abstained: ["the model has nothing to add here.", "模型在此没有可补充的。"],
  answer: ["the model did not answer in the form it was asked for.", "模型没有按要求的格式回答。"],
  cut: ["the model used up its tokens before it was done.", "模型还没答完就用完了词元。"],
  model_missing: ["no model is configured.", "没有配置模型。"],
  model_timeout: ["the model did not answer in time.", "模型没有及时回答。"]
};
var UNFIT = ["blank", "long", "lines", "control", "fence", "glued", "repeats", "emphasis", "comma"];
function reasonText(reason, answer) {
  if (Object.hasOwn(REASONS, reason)) {
    return say(...REASONS[reason]);
  }
  if (UNFIT.includes(reason)) {
    return chinese() ? "模型的建议不适合放在这里。" : "what the model suggested does not fit here.";
  }
  return failureText(answer);
}

// src/completing.js
var MOST_MS = 9e3;
var MOST_WAIT_MS = 3e3;
var LATER_MS = 20;
var Completion = class {
  /** @param {import("./main.js").default} plugin */
  constructor(plugin) {
    this.plugin = plugin;
    this.notes = false;
    this.chat = false;
    this.pause = 0;
    this.live = /* @__PURE__ */ new Set();
    this.looks = 0;
  }
  start() {
    this.plugin.register(this.plugin.link.on((kind, data) => {
      if (kind === "presence" && data.presence === "here" || kind === "settings.changed" && /^(?:complete|enabled)/.test(String(data.name))) {
        void this.learn();
      }
    }));
    this.plugin.register(() => this.end());
  }
  end() {
    this.live.forEach((asker) => asker.dismiss());
  }
  /** What the settings say now; what was asked for under other ones is over. */
  async learn() {
    this.end();
    const look2 = ++this.looks;
    try {
      const found = (
        /** @type {{name: string, value: unknown}[]} */
        (await this.plugin.client.get("/v1/settings")).settings
      );
      if (look2 !== this.looks) {
        return;
      }
      const of = (name) => found.find((setting) => setting.name === name)?.value;
      this.notes = of("complete") === true && of("enabled") === true;
      this.chat = of("complete.chat") === true && of("enabled") === true;
      this.pause = Number(of("complete.pause_ms") ?? 0);
    } catch {
      this.notes = this.notes && look2 !== this.looks;
      this.chat = this.chat && look2 !== this.looks;
    }
  }
  /** One call at a time, whichever editor it is for. @param {Asker} asker */
  begin(asker) {
    this.live.forEach((other) => other !== asker && other.dismiss());
    return new AbortController();
  }
  /**
   * The text for a place, empty when there is none or nobody waits any more.
   * @param {Place} place @param {AbortSignal} signal @param {boolean} byHand
   */
  async ask(place, signal, byHand) {
    try {
      let answer = await this.once(place, signal);
      const wait = Number(answer.wait ?? 0) * 1e3 + LATER_MS;
      if (answer.reason === "too_soon" && wait <= MOST_WAIT_MS && await passed(wait, signal)) {
        answer = await this.once(place, signal);
      }
      if (!answer.text && !signal.aborted) {
        this.tell(String(answer.reason), byHand, answer);
      }
      return signal.aborted ? "" : String(answer.text ?? "");
    } catch (error2) {
      if (byHand && !signal.aborted) {
        new import_obsidian13.Notice(failureText(error2));
      }
      return "";
    }
  }
  /** @param {Place} place @param {AbortSignal} signal */
  once(place, signal) {
    return this.plugin.client.call("POST", "/v1/complete", place, "", { signal, wait: MOST_MS });
  }
  /**
   * Why there is nothing, to somebody who asked outright.
   * @param {string} reason @param {boolean} byHand @param {Record<string, unknown>} [answer] with the daemon's own words
   */
  tell(reason, byHand, answer = {}) {
    if (byHand && reason !== "cancelled") {
      new import_obsidian13.Notice(say("No completion: {0}", "没有补全：{0}", reasonText(reason, answer)));
    }
  }
};
function passed(ms, signal) {
  return new Promise((resolve) => {
    const timer = window.setTimeout(() => resolve(!signal.aborted), ms);
    signal.addEventListener("abort", () => {
      window.clearTimeout(timer);
      resolve(false);
    }, { once: true });
  });
}

// src/drafts.js
var KEY = "deepseedian-drafts";
var MOST4 = 50;
var Drafts = class {
  /** @param {import("obsidian").App} app */
  constructor(app) {
    this.app = app;
  }
  /** @returns {Record<string, Draft>} */
  all() {
    const found = this.app.loadLocalStorage(KEY);
    return typeof found === "object" && found !== null ? (
      /** @type {Record<string, Draft>} */
      { ...found }
    ) : {};
  }
  /** @param {string} session @returns {Draft} */
  of(session) {
    const found = this.all()[session];
    return { text: String(found?.text ?? ""), pinned: found?.pinned ?? null };
  }
  /** @param {string} session @param {Draft} draft */
  keep(session, draft) {
    const all = this.all();
    delete all[session];
    if (draft.text || draft.pinned) {
      all[session] = draft;
    }
    this.app.saveLocalStorage(KEY, Object.fromEntries(Object.entries(all).slice(-MOST4)));
  }
};

// src/link.js
var FIRST_MS = 500;
var MOST_MS2 = 8e3;
var Link = class {
  /**
   * `pause` waits for so many milliseconds, or until the signal.
   * @param {import("./client.js").Client} client @param {(ms: number, signal: AbortSignal) => Promise<void>} pause
   */
  constructor(client, pause2) {
    this.client = client;
    this.pause = pause2;
    this.presence = "unknown";
    this.listeners = /* @__PURE__ */ new Set();
    this.running = null;
    this.waiting = null;
    this.last = "";
  }
  /** @param {Listener} listener @returns {() => void} what ends it */
  on(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
  start() {
    if (!this.running) {
      this.running = new AbortController();
      void this.run(this.running.signal);
    }
  }
  stop() {
    this.running?.abort();
    this.waiting?.abort();
    this.running = null;
  }
  /** Look again at once. */
  again() {
    this.waiting?.abort();
  }
  /** @param {AbortSignal} signal */
  async run(signal) {
    let delay = FIRST_MS;
    while (!signal.aborted) {
      const begun = Date.now();
      await this.feed(signal);
      if (signal.aborted) {
        return;
      }
      this.become("away");
      delay = Date.now() - begun > MOST_MS2 ? FIRST_MS : Math.min(delay * 2, MOST_MS2);
      this.waiting = new AbortController();
      await this.pause(delay, this.waiting.signal);
    }
  }
  /** One connection of the feed, until it breaks. @param {AbortSignal} signal */
  async feed(signal) {
    try {
      await this.client.get("/v1/health");
      if (signal.aborted) {
        return;
      }
      this.become("here");
      await this.client.stream("GET", "/v1/events", void 0, (event) => {
        this.last = event.id || this.last;
        this.tell(event.kind, event.data);
      }, { signal, after: this.last });
    } catch (error2) {
      if (!(error2 instanceof WireError)) {
        throw error2;
      }
    }
  }
  /** @param {Presence} presence */
  become(presence) {
    if (this.presence !== presence) {
      this.presence = presence;
      this.tell("presence", { presence });
    }
  }
  /** @param {string} kind @param {Record<string, any>} data */
  tell(kind, data) {
    for (const listener of [...this.listeners]) {
      listener(kind, data);
    }
  }
};

// src/memory.js
var import_obsidian15 = require("obsidian");

// src/entry.js
var import_obsidian14 = require("obsidian");

// src/diff.js
function words(text2) {
  return text2.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[\p{L}\p{N}_'-]+|\s+|./gsu) ?? [];
}
function difference(before, after) {
  const old = words(before);
  const now = words(after);
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) {
    start++;
  }
  let end = 0;
  while (end < old.length - start && end < now.length - start && old[old.length - 1 - end] === now[now.length - 1 - end]) {
    end++;
  }
  const pieces = [];
  add2(pieces, "same", old.slice(0, start).join(""));
  middle(pieces, old.slice(start, old.length - end), now.slice(start, now.length - end));
  add2(pieces, "same", old.slice(old.length - end).join(""));
  return pieces;
}
function middle(pieces, old, now) {
  const width = now.length + 1;
  if (old.length * width > 4e6) {
    add2(pieces, "gone", old.join(""));
    add2(pieces, "new", now.join(""));
    return;
  }
  const table2 = new Uint16Array((old.length + 1) * width);
  for (let i2 = old.length - 1; i2 >= 0; i2--) {
    for (let j2 = now.length - 1; j2 >= 0; j2--) {
      table2[i2 * width + j2] = old[i2] === now[j2] ? table2[(i2 + 1) * width + j2 + 1] + 1 : Math.max(table2[(i2 + 1) * width + j2], table2[i2 * width + j2 + 1]);
    }
  }
  let i = 0;
  let j = 0;
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      add2(pieces, "same", old[i++]);
      j++;
    } else if (i < old.length && (j >= now.length || table2[(i + 1) * width + j] >= table2[i * width + j + 1])) {
      add2(pieces, "gone", old[i++]);
    } else {
      add2(pieces, "new", now[j++]);
    }
  }
}
function add2(pieces, kind, text2) {
  const last = pieces[pieces.length - 1];
  if (!text2) {
    return;
  }
  if (last && last.kind === kind) {
    last.text += text2;
  } else {
    pieces.push({ kind, text: text2 });
  }
}
function showDifference(parent, before, after) {
  const line = parent.createDiv({ cls: "deepseedian-diff" });
  for (const piece of difference(before, after)) {
    const tag = piece.kind === "gone" ? "del" : piece.kind === "new" ? "ins" : "span";
    line.createEl(tag, { text: piece.text });
  }
}

// src/timeline.js
async function showTimeline(plugin, id) {
  const found = await plugin.tried(() => plugin.client.get(`/v1/entries/${encodeURIComponent(id)}/timeline`));
  if (!found) {
    return;
  }
  shown(plugin.app, say("Timeline", "时间线"), (content) => {
    content.createDiv({ cls: "deepseedian-quote deepseedian-whole", text: String(found.entry.text) });
    content.createEl("p", { cls: "deepseedian-meta", text: found.recalled ? say("Recalled {0} times.", "被召回 {0} 次。", Number(found.recalled)) : say("Not recalled yet.", "还没有被召回过。") });
    const events = (
      /** @type {LifeEvent[]} */
      found.events
    );
    [...events].reverse().forEach((event) => drawEvent(plugin, content, event));
  });
}
function drawEvent(plugin, content, event) {
  const card = content.createDiv({ cls: "deepseedian-card", attr: { "data-kind": event.kind } });
  const head2 = card.createDiv({ cls: "deepseedian-row" });
  head2.createSpan({ cls: "deepseedian-title", text: eventName(event) });
  head2.createSpan({ cls: "deepseedian-meta", text: when(event.at) });
  if (event.before !== void 0 || event.after !== void 0) {
    showDifference(card, event.before ?? "", event.after ?? "");
  }
  if (event.from && event.to) {
    card.createDiv({ cls: "deepseedian-meta", text: `${event.from} → ${event.to}` });
  }
  const about = [
    event.source,
    event.session,
    event.operation ? operationName(String(event.operation)) : "",
    event.outside ? say("in another program", "在别的程序中") : ""
  ].filter(Boolean).join(" · ");
  if (event.receipt) {
    const link3 = card.createEl("a", { cls: "deepseedian-meta", text: about || say("Receipt", "回执"), attr: { href: "#" } });
    link3.onclick = (click) => {
      click.preventDefault();
      void showReceipt(plugin, String(event.receipt), (entry) => void plugin.openMemory({ entry }));
    };
  } else if (about) {
    card.createDiv({ cls: "deepseedian-meta", text: about });
  }
}
function eventName(event) {
  const names = (
    /** @type {Record<string, [string, string]>} */
    {
      written: ["Written", "写入"],
      add: ["Added", "新增"],
      import: ["Imported", "导入"],
      edit: ["Edited", "编辑"],
      move: ["Moved", "移动"],
      pin: ["Pinned", "置顶"],
      unpin: ["Unpinned", "取消置顶"],
      forget: ["Forgotten", "忘掉"],
      archive: ["Archived", "归档"],
      forgotten: ["Forgotten", "忘掉"],
      superseded: ["Replaced", "被取代"],
      archived: ["Archived", "归档"],
      approve: ["Approved", "批准"],
      undo: ["Undone", "撤销"],
      redo: ["Redone", "重做"],
      outside: ["Edited elsewhere", "在别处编辑"],
      recalled: ["Recalled", "被召回"],
      useful: ["Called useful", "评为有用"],
      wrong: ["Called wrong", "评为不对"],
      corrected: ["Corrected", "被更正"],
      proposed: ["Proposed", "被提议"],
      dismissed: ["Proposal dismissed", "提议被忽略"],
      stale: ["Proposal stale", "提议已过时"],
      expired: ["Proposal expired", "提议已过期"],
      undone: ["Approval undone", "批准被撤销"],
      open: ["Proposed", "被提议"]
    }
  );
  return Object.hasOwn(names, event.kind) ? say(...names[event.kind]) : event.kind;
}

// src/entry.js
var entryPath = (id) => `/v1/entries/${encodeURIComponent(id)}`;
function drawEntry(entry, parent, host) {
  const row = parent.createDiv({ cls: "deepseedian-card deepseedian-entry", attr: { "data-id": entry.id } });
  const isOpen = entry.id === host.open;
  const head2 = row.createEl("button", { cls: "deepseedian-open", attr: { type: "button", "aria-expanded": String(isOpen) } });
  head2.createDiv({ cls: isOpen ? "deepseedian-whole" : "deepseedian-short", text: entry.text });
  head2.createDiv({ cls: "deepseedian-meta", text: [
    entry.topic,
    entry.kind ? kindName(entry.kind) : "",
    entry.pinned ? say("pinned", "已置顶") : "",
    entry.claimed ? say("not confirmed here", "未在此设备确认") : "",
    when(entry.createdAt)
  ].filter(Boolean).join(" · ") });
  head2.onclick = () => host.toggle(entry.id);
  row.draggable = true;
  row.ondragstart = (event) => event.dataTransfer?.setData(ENTRY_TYPE, JSON.stringify({ id: entry.id, text: entry.text }));
  if (isOpen) {
    details(entry, row, host);
  }
}
function details(entry, row, host) {
  row.createDiv({ cls: "deepseedian-meta", text: [
    entry.source,
    entry.trust ? trustName(entry.trust) : "",
    entry.updatedAt ? say("changed {0}", "{0} 修改", when(String(entry.updatedAt))) : "",
    entry.supersededBy ? say("replaced by {0}", "被 {0} 取代", String(entry.supersededBy).slice(0, 8)) : "",
    entry.endedAt ? say("ended {0}", "{0} 结束", when(String(entry.endedAt))) : "",
    entry.reviewAt ? say("look again {0}", "{0} 复查", when(String(entry.reviewAt))) : "",
    `ID ${entry.id}`
  ].filter(Boolean).join(" · ") });
  const actions = row.createDiv({ cls: "deepseedian-actions" });
  if (host.changeable) {
    textButton(actions, say("Edit", "编辑"), () => edit(entry, host));
    textButton(actions, say("Move", "移动"), () => move(entry, host));
    textButton(actions, entry.pinned ? say("Unpin", "取消置顶") : say("Pin", "置顶"), () => changed(entry, host, { on: !entry.pinned }));
    textButton(actions, say("Forget", "忘掉"), () => forget(entry, host));
  }
  textButton(actions, say("Timeline", "时间线"), () => showTimeline(host.plugin, entry.id));
  textButton(actions, say("Erase…", "彻底删除…"), () => erase(entry, host), "mod-warning");
  iconButton(actions, "copy", say("Copy", "复制"), () => row.win.navigator.clipboard.writeText(entry.text));
}
async function changed(entry, host, change) {
  const done = await host.plugin.tried(() => host.plugin.client.change("PATCH", entryPath(entry.id), change));
  await host.reload();
  return done;
}
async function edit(entry, host) {
  let value = entry.text;
  for (; ; ) {
    const text2 = await entered(host.plugin.app, { title: say("Edit the memory", "编辑记忆"), value, long: true });
    if (text2 === null || text2 === entry.text || await changed(entry, host, { text: text2 })) {
      return;
    }
    value = text2;
  }
}
async function move(entry, host) {
  const topic = await entered(host.plugin.app, { title: say("Move to topic", "移动到主题"), value: entry.topic, choices: host.topics, action: say("Move", "移动") });
  if (topic !== null && topic.trim() && topic !== entry.topic) {
    await changed(entry, host, { topic: topic.trim() });
  }
}
async function forget(entry, host) {
  const done = await host.plugin.tried(() => host.plugin.client.change("DELETE", entryPath(entry.id)));
  if (done) {
    new import_obsidian14.Notice(say("Forgotten. Undo brings it back.", "已忘掉，撤销可以恢复。"));
  }
  await host.reload();
}
async function erase(entry, host) {
  const app = host.plugin.app;
  const sure = await confirmed(app, {
    title: say("Erase for good?", "彻底删除？"),
    action: say("Erase", "彻底删除"),
    text: say(
      "“{0}” is removed from memory, archive, history, conversations and copies on this device. This cannot be undone.",
      "“{0}”将从此设备的记忆、归档、历史、会话和副本中删除，无法撤销。",
      entry.text.slice(0, 200)
    )
  });
  const done = sure && await host.plugin.tried(() => host.plugin.client.post("/v1/erase", { id: entry.id }));
  if (!done) {
    return;
  }
  await host.reload();
  shown(app, say("Erased", "已彻底删除"), (content) => {
    content.createEl("p", { text: say("What cannot be reached from here:", "以下地方无法从这里清除：") });
    const list2 = content.createEl("ul");
    Object.values(
      /** @type {Record<string, string>} */
      done.beyond
    ).forEach((text2) => list2.createEl("li", { text: text2 }));
    done.notes.forEach((note) => list2.createEl("li", { text: say("Your note {0} says the same.", "你的笔记 {0} 有相同内容。", note) }));
  });
}

// src/finding.js
var PAGE2 = 100;
var MOST_HITS = 300;
var DAY_MS = 864e5;
async function findEntries(view) {
  const { query, place, date } = view.wanted;
  if (place === "then") {
    return date ? filtered(view, await hits(view, query, date)) : [];
  }
  const path2 = place === "archive" ? "/v1/archive" : "/v1/entries";
  const all = (
    /** @type {Entry[]} */
    (await view.plugin.client.get(path2)).entries
  );
  view.total = all.length;
  view.topics = [...new Set(all.map((entry) => entry.topic))].sort();
  if (place === "archive") {
    const words2 = query.toLowerCase().split(/\s+/).filter(Boolean);
    return filtered(view, all.filter((entry) => words2.every((word) => entry.text.toLowerCase().includes(word))));
  }
  if (!query.trim()) {
    return filtered(view, all.reverse());
  }
  const byId = new Map(all.map((entry) => [entry.id, entry]));
  return filtered(view, (await hits(view, query, "")).flatMap((hit) => byId.get(hit.id) ?? []));
}
async function hits(view, query, date) {
  const found = [];
  for (let total = 1; found.length < total && found.length < MOST_HITS; ) {
    const page = await view.plugin.client.get("/v1/search", { query, as_of: date, offset: found.length, limit: PAGE2 });
    const rows = (
      /** @type {{id: string, summary: string}[]} */
      page.results
    );
    rows.forEach((row) => found.push(
      /** @type {Entry} */
      { id: row.id, topic: "", text: row.summary, createdAt: "", source: "" }
    ));
    total = rows.length ? Number(page.total) : 0;
    view.total = Number(page.total);
  }
  return found;
}
function filtered(view, entries) {
  const { topic, kind, trust, days, place } = view.wanted;
  if (place === "then") {
    return entries;
  }
  const since = days ? new Date(Date.now() - Number(days) * DAY_MS).toISOString() : "";
  return entries.filter((entry) => (!topic || entry.topic === topic) && (!kind || entry.kind === kind) && (!trust || (entry.trust ?? "user_stated") === trust) && (!since || String(entry.updatedAt ?? entry.createdAt) >= since));
}

// src/memory.js
var MEMORY = "deepseedian-memory";
var SEARCH_MS2 = 150;
var KINDS = ["preference", "goal", "decision", "fact", "question", "finding", "workflow"];
var TRUSTS = ["user_stated", "system_derived", "external"];
var MemoryView = class extends import_obsidian15.ItemView {
  /** @param {import("obsidian").WorkspaceLeaf} leaf @param {import("./main.js").default} plugin */
  constructor(leaf2, plugin) {
    super(leaf2);
    this.plugin = plugin;
    this.entries = [];
    this.total = 0;
    this.topics = [];
    this.opened = "";
    this.asked = 0;
    this.later = 0;
    this.wanted = { query: "", topic: "", kind: "", trust: "", days: "", place: "now", date: "" };
  }
  getViewType() {
    return MEMORY;
  }
  getDisplayText() {
    return say("Deepseedian memory", "Deepseedian 记忆");
  }
  getIcon() {
    return "brain";
  }
  async onOpen() {
    const root = this.contentEl;
    root.empty();
    root.addClass("deepseedian", "deepseedian-memory");
    const away2 = awayLine(root, this.plugin);
    this.bar = root.createDiv({ cls: "deepseedian-bar" });
    this.count = root.createDiv({ cls: "deepseedian-meta deepseedian-count", attr: { role: "status" } });
    this.list = root.createDiv({ cls: "deepseedian-list" });
    this.drawBar();
    this.register(this.plugin.link.on((kind) => {
      if (kind === "presence") {
        away2.show();
      }
      if (kind === "presence" || kind === "memory.changed") {
        this.refreshLater();
      }
    }));
    await this.refresh();
  }
  async onClose() {
    this.asked++;
    window.clearTimeout(this.later);
    this.contentEl.empty();
  }
  /** @param {{query?: string, entry?: string}} wanted */
  async show(wanted) {
    this.wanted = { ...this.wanted, query: wanted.query ?? "", topic: "", kind: "", trust: "", days: "", place: "now" };
    this.opened = wanted.entry ?? "";
    this.drawBar();
    await this.refresh();
    if (this.opened && !this.entries.some((entry) => entry.id === this.opened)) {
      this.wanted.place = "archive";
      this.drawBar();
      await this.refresh();
    }
    this.list?.querySelector(`[data-id="${CSS.escape(this.opened)}"]`)?.scrollIntoView({ block: "center" });
  }
  drawBar() {
    const bar = this.bar;
    if (!bar) {
      return;
    }
    bar.empty();
    const field = bar.createEl("input", { type: "search", attr: { "aria-label": say("Search memory", "搜索记忆"), placeholder: say("Search memory", "搜索记忆") } });
    field.value = this.wanted.query;
    field.oninput = () => {
      this.wanted.query = field.value;
      this.refreshLater();
    };
    this.topicChoice = this.choice(bar, say("Topic", "主题"), "topic", []);
    this.choice(bar, say("Kind", "类型"), "kind", KINDS.map((kind) => [kind, kindName(kind)]));
    this.choice(bar, say("Trust", "可信度"), "trust", TRUSTS.map((trust) => [trust, trustName(trust)]));
    this.choice(bar, say("Time", "时间"), "days", [["7", say("Last 7 days", "最近 7 天")], ["30", say("Last 30 days", "最近 30 天")], ["365", say("Last year", "最近一年")]]);
    this.placeChoice(bar);
    const steps = bar.createDiv({ cls: "deepseedian-together" });
    iconButton(steps, "undo-2", say("Undo the last change", "撤销上次修改"), () => this.step("undo"));
    iconButton(steps, "redo-2", say("Redo", "重做"), () => this.step("redo"));
  }
  /** @param {HTMLElement} bar */
  placeChoice(bar) {
    const filters = [...bar.querySelectorAll("select")];
    const lock = () => filters.forEach((select) => {
      select.disabled = this.wanted.place === "then";
    });
    lock();
    const place = bar.createEl("select", { cls: "dropdown", attr: { "aria-label": say("Which memory", "哪些记忆") } });
    const names = { now: say("Current", "当前"), archive: say("Archive", "归档"), then: say("As of a date", "某日的记忆") };
    Object.entries(names).forEach(([value, text2]) => place.createEl("option", { value, text: text2 }));
    place.value = this.wanted.place;
    const date = bar.createEl("input", { type: "date", attr: { "aria-label": say("Date", "日期") } });
    date.value = this.wanted.date;
    date.toggleClass("is-hidden", this.wanted.place !== "then");
    place.onchange = () => {
      this.wanted.place = place.value;
      date.toggleClass("is-hidden", place.value !== "then");
      lock();
      void this.refresh();
    };
    date.onchange = () => {
      this.wanted.date = date.value;
      void this.refresh();
    };
  }
  /**
   * @param {HTMLElement} bar @param {string} label @param {"topic" | "kind" | "trust" | "days"} name @param {string[][]} choices
   */
  choice(bar, label, name, choices) {
    const select = bar.createEl("select", { cls: "dropdown", attr: { "aria-label": label } });
    this.fill(select, label, choices, this.wanted[name]);
    select.onchange = () => {
      this.wanted[name] = select.value;
      void this.refresh();
    };
    return select;
  }
  /** @param {HTMLSelectElement} select @param {string} label @param {string[][]} choices @param {string} value */
  fill(select, label, choices, value) {
    select.empty();
    select.createEl("option", { value: "", text: label });
    choices.forEach(([key, text2]) => select.createEl("option", { value: key, text: text2 }));
    select.value = value;
  }
  refreshLater() {
    window.clearTimeout(this.later);
    this.later = window.setTimeout(() => void this.refresh(), SEARCH_MS2);
  }
  async refresh() {
    const asked = ++this.asked;
    try {
      const found = await findEntries(this);
      if (asked === this.asked) {
        this.entries = found;
        this.draw();
      }
    } catch (error2) {
      if (asked === this.asked) {
        this.entries = [];
        this.draw(failureText(error2));
      }
    }
  }
  /** @param {string} [empty] */
  draw(empty = this.nothing()) {
    const list2 = this.list;
    if (!list2) {
      return;
    }
    const focused = list2.querySelector(":focus")?.closest("[data-id]")?.getAttribute("data-id") ?? "";
    if (this.topicChoice) {
      this.fill(this.topicChoice, say("Topic", "主题"), this.topics.map((topic) => [topic, topic]), this.wanted.topic);
    }
    this.count?.setText(this.total ? say("{0} of {1}", "{0} / {1}", this.entries.length, this.total) : "");
    const scrolled = list2.scrollTop;
    const host = {
      plugin: this.plugin,
      changeable: this.wanted.place === "now",
      topics: this.topics,
      open: this.opened,
      toggle: (id) => this.toggle(id),
      reload: () => this.refresh()
    };
    const rows = longList(list2, this.entries, (entry, parent) => drawEntry(entry, parent, host));
    rows.reach(this.entries.findIndex((entry) => entry.id === this.opened));
    if (!this.entries.length) {
      emptyLine(list2, this.wanted.place === "then" && !this.wanted.date ? say("Choose a date.", "请选择日期。") : empty);
    }
    list2.scrollTop = scrolled;
    if (focused) {
      list2.querySelector(`[data-id="${CSS.escape(focused)}"] .deepseedian-open`)?.focus({ preventScroll: true });
    }
  }
  /** What an empty list means. */
  nothing() {
    const { query, topic, kind, trust, days, place } = this.wanted;
    if (place === "now" && (query.trim() || topic || kind || trust || days)) {
      return say("Nothing matches. Take out a word or a filter.", "没有匹配的内容。请减少词语或筛选条件。");
    }
    return place === "now" ? say("No memories yet. Write /remember and a sentence in the chat, or approve a proposal.", "还没有记忆。在聊天中输入 /remember 加上一句话，或批准一条提议。") : say("Nothing here.", "这里没有内容。");
  }
  /** @param {string} id */
  async toggle(id) {
    this.opened = this.opened === id ? "" : id;
    if (this.opened && this.wanted.place === "then") {
      await this.whole(id);
    }
    this.draw();
  }
  /** The whole text of an entry that is listed by its beginning. @param {string} id */
  async whole(id) {
    const found = await this.plugin.tried(() => this.plugin.client.get(`/v1/entries/${encodeURIComponent(id)}`));
    if (found) {
      this.entries = this.entries.map((entry) => entry.id === id ? (
        /** @type {Entry} */
        found
      ) : entry);
    }
  }
  /** @param {"undo" | "redo"} step */
  async step(step) {
    const done = await this.plugin.tried(() => this.plugin.client.post(`/v1/${step}`));
    if (done) {
      new import_obsidian15.Notice(step === "undo" ? say("Undone: {0}", "已撤销：{0}", String(done.summary)) : say("Redone: {0}", "已重做：{0}", String(done.summary)));
    }
    await this.refresh();
  }
};

// src/node.js
var import_obsidian16 = require("obsidian");
function desktopNode() {
  if (!import_obsidian16.Platform.isDesktop) {
    throw new Error("Deepseedian needs Obsidian on the desktop");
  }
  const load = (
    /** @type {(name: string) => any} */
    window.require
  );
  return {
    http: load("http"),
    net: load("net"),
    fs: load("fs").promises,
    crypto: load("crypto"),
    childProcess: load("child_process"),
    env: load("process").env,
    platform: load("process").platform,
    home: load("os").homedir()
  };
}

// src/review.js
var import_obsidian17 = require("obsidian");

// src/proposal.js
function drawProposal(view, proposal, index, list2) {
  const card = list2.createDiv({ cls: "deepseedian-card", attr: { role: "listitem", "data-id": proposal.id } });
  card.toggleClass("is-active", index === view.at);
  const head2 = card.createDiv({ cls: "deepseedian-row" });
  const box = head2.createEl("input", { type: "checkbox", attr: { "aria-label": say("Choose: {0}", "选择：{0}", proposal.text.slice(0, 60)) } });
  box.checked = view.chosen.has(proposal.id);
  box.onchange = () => {
    view.choose(proposal.id, box.checked);
    view.drawBar();
  };
  head2.createSpan({ cls: "deepseedian-title", text: [operationName(proposal.operation), proposal.topic, proposal.kind ? kindName(proposal.kind) : ""].filter(Boolean).join(" · ") });
  head2.createSpan({ cls: "deepseedian-meta", text: when(proposal.at) });
  drawChange(view, proposal, card);
  card.createDiv({ cls: "deepseedian-reason", text: proposal.reason });
  proposal.evidence.forEach((quote) => card.createEl("blockquote", { text: quote.quote, attr: { title: quote.source } }));
  const row = card.createDiv({ cls: "deepseedian-actions" });
  textButton(row, view.edited.has(proposal.id) ? say("Approve my version", "批准我的版本") : say("Approve", "批准"), () => view.decide(proposal, "approve"), "mod-cta");
  if (takesText(proposal)) {
    textButton(row, say("Edit", "编辑"), () => editProposal(view, proposal, card));
  }
  textButton(row, say("Dismiss", "忽略"), () => view.decide(proposal, "dismiss"));
  card.onclick = () => view.mark(index);
}
function drawChange(view, proposal, card) {
  const after = view.edited.get(proposal.id) ?? proposal.text;
  const before = proposal.before ?? [];
  const body = card.createDiv({ cls: "deepseedian-change" });
  if (before.length > 1) {
    before.forEach((text2) => body.createEl("del", { cls: "deepseedian-diff", text: text2 }));
    body.createEl("ins", { cls: "deepseedian-diff", text: after });
  } else if (proposal.operation === "archive" || proposal.operation === "move" && before.length) {
    body.createDiv({ cls: "deepseedian-diff" }).createEl(proposal.operation === "archive" ? "del" : "span", { text: before[0] ?? after });
  } else {
    showDifference(body, before[0] ?? "", after);
  }
}
function editProposal(view, proposal, card) {
  const body = (
    /** @type {HTMLElement} */
    card.querySelector(".deepseedian-change")
  );
  body.empty();
  const field = body.createEl("textarea", { cls: "deepseedian-edit", attr: { rows: "5", "aria-label": say("The text to keep", "要保留的内容") } });
  field.value = view.edited.get(proposal.id) ?? proposal.text;
  field.oninput = () => view.edited.set(proposal.id, field.value);
  const row = body.createDiv({ cls: "deepseedian-actions" });
  const approve = () => {
    view.edited.set(proposal.id, field.value);
    void view.decide(proposal, "approve");
  };
  textButton(row, say("Approve my version", "批准我的版本"), approve, "mod-cta");
  textButton(row, say("Undo my changes", "撤销我的修改"), () => {
    view.edited.delete(proposal.id);
    view.draw();
  });
  field.onkeydown = (event) => {
    event.stopPropagation();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.isComposing) {
      approve();
    } else if (event.key === "Escape" && !event.isComposing) {
      view.draw();
      view.list?.focus();
    }
  };
  field.focus();
}
function takesText(proposal) {
  return proposal.operation === "add" || proposal.operation === "edit" || proposal.operation === "merge";
}

// src/review.js
var REVIEW = "deepseedian-review";
var LATER_MS2 = 120;
var ReviewView = class extends import_obsidian17.ItemView {
  /** @param {import("obsidian").WorkspaceLeaf} leaf @param {import("./main.js").default} plugin */
  constructor(leaf2, plugin) {
    super(leaf2);
    this.plugin = plugin;
    this.proposals = [];
    this.chosen = /* @__PURE__ */ new Set();
    this.edited = /* @__PURE__ */ new Map();
    this.at = 0;
    this.later = 0;
    this.deciding = false;
  }
  getViewType() {
    return REVIEW;
  }
  getDisplayText() {
    return say("Deepseedian review", "Deepseedian 审阅");
  }
  getIcon() {
    return "list-checks";
  }
  async onOpen() {
    const root = this.contentEl;
    root.empty();
    root.addClass("deepseedian", "deepseedian-review");
    const away2 = awayLine(root, this.plugin);
    this.bar = root.createDiv({ cls: "deepseedian-bar" });
    this.list = root.createDiv({ cls: "deepseedian-list", attr: { tabindex: "0", role: "list", "aria-label": this.getDisplayText() } });
    this.registerDomEvent(this.list, "keydown", (event) => this.key(event));
    this.register(this.plugin.link.on((kind) => {
      if (kind === "presence") {
        away2.show();
      }
      if (kind === "presence" || kind.startsWith("proposal.") || kind === "memory.changed") {
        this.refreshLater();
      }
    }));
    await this.refresh();
  }
  async onClose() {
    window.clearTimeout(this.later);
    this.contentEl.empty();
  }
  refreshLater() {
    window.clearTimeout(this.later);
    this.later = window.setTimeout(() => void this.refresh(), LATER_MS2);
  }
  async refresh() {
    if (this.deciding) {
      return;
    }
    try {
      this.proposals = /** @type {Proposal[]} */
      (await this.plugin.client.get("/v1/proposals")).proposals;
      if (!this.list?.querySelector("textarea:focus")) {
        this.draw();
      }
    } catch (error2) {
      this.proposals = [];
      this.draw(failureText(error2));
    }
  }
  /** @param {string} [empty] */
  draw(empty = say(
    "Nothing waits for you. What a chat holds that may be worth keeping is proposed here; /organize in the chat looks for more.",
    "没有待审阅的内容。聊天中值得记住的内容会在这里提议；在聊天中输入 /organize 可再查找。"
  )) {
    const list2 = this.list;
    if (!list2) {
      return;
    }
    const ids = new Set(this.proposals.map((proposal) => proposal.id));
    this.chosen = new Set([...this.chosen].filter((id) => ids.has(id)));
    this.at = Math.max(0, Math.min(this.at, this.proposals.length - 1));
    const scrolled = list2.scrollTop;
    list2.empty();
    this.drawBar();
    this.proposals.forEach((proposal, index) => drawProposal(this, proposal, index, list2));
    if (!this.proposals.length) {
      emptyLine(list2, empty);
    }
    list2.scrollTop = scrolled;
  }
  drawBar() {
    const bar = this.bar;
    if (!bar) {
      return;
    }
    const focused = [...bar.querySelectorAll("button")].findIndex((button) => button.matches(":focus"));
    bar.empty();
    if (!this.proposals.length) {
      return;
    }
    const count = this.chosen.size;
    bar.createSpan({ text: count ? say("{0} of {1} chosen", "已选 {0}/{1}", count, this.proposals.length) : say("{0} open", "{0} 条待审阅", this.proposals.length) });
    if (this.proposals.length > 1) {
      textButton(bar, count === this.proposals.length ? say("Choose none", "全不选") : say("Choose all", "全选"), () => {
        this.chosen = new Set(count === this.proposals.length ? [] : this.proposals.map((proposal) => proposal.id));
        this.draw();
      });
    }
    if (count) {
      textButton(bar, say("Approve chosen", "批准所选"), () => this.decideAll("approve"), "mod-cta");
      textButton(bar, say("Dismiss chosen", "忽略所选"), () => this.decideAll("dismiss"));
    }
    bar.createSpan({ cls: "deepseedian-meta", text: say("Keys: j/k move, a approve, e edit, d dismiss, x choose", "按键：j/k 移动，a 批准，e 编辑，d 忽略，x 选择") });
    if (focused >= 0) {
      bar.querySelectorAll("button")[focused]?.focus();
    }
  }
  /** @param {string} id @param {boolean} on */
  choose(id, on) {
    if (on) {
      this.chosen.add(id);
    } else {
      this.chosen.delete(id);
    }
  }
  /** @param {number} index */
  mark(index) {
    this.at = Math.max(0, Math.min(index, this.proposals.length - 1));
    this.list?.querySelectorAll(".deepseedian-card").forEach((card, number) => {
      card.classList.toggle("is-active", number === this.at);
      if (number === this.at) {
        card.scrollIntoView({ block: "nearest" });
      }
    });
  }
  /** @param {KeyboardEvent} event */
  key(event) {
    const proposal = this.proposals[this.at];
    if (!proposal || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.target !== this.list) {
      return;
    }
    const acts = (
      /** @type {Record<string, () => unknown>} */
      {
        j: () => this.mark(this.at + 1),
        ArrowDown: () => this.mark(this.at + 1),
        k: () => this.mark(this.at - 1),
        ArrowUp: () => this.mark(this.at - 1),
        a: () => this.decide(proposal, "approve"),
        d: () => this.decide(proposal, "dismiss"),
        e: () => {
          const card = (
            /** @type {HTMLElement | null} */
            this.list?.querySelectorAll(".deepseedian-card")[this.at] ?? null
          );
          return card && takesText(proposal) && editProposal(this, proposal, card);
        },
        x: () => {
          this.choose(proposal.id, !this.chosen.has(proposal.id));
          this.draw();
        }
      }
    );
    if (Object.hasOwn(acts, event.key)) {
      event.preventDefault();
      void acts[event.key]();
    }
  }
  /** @param {"approve" | "dismiss"} decision */
  async decideAll(decision) {
    this.deciding = true;
    try {
      for (const proposal of this.proposals.filter((one) => this.chosen.has(one.id))) {
        await this.decided(proposal, decision);
      }
    } finally {
      this.deciding = false;
    }
    this.list?.focus();
    await this.refresh();
  }
  /** @param {Proposal} proposal @param {"approve" | "dismiss"} decision */
  async decide(proposal, decision) {
    await this.decided(proposal, decision);
    this.list?.focus();
    await this.refresh();
  }
  /** One decision; one that went wrong says so and stays. @param {Proposal} proposal @param {"approve" | "dismiss"} decision */
  async decided(proposal, decision) {
    const mine = this.edited.get(proposal.id);
    const body = decision === "approve" && mine !== void 0 ? { decision, text: mine } : { decision };
    const done = await this.plugin.tried(() => this.plugin.client.post(`/v1/proposals/${encodeURIComponent(proposal.id)}/decision`, body));
    if (!done) {
      return;
    }
    this.edited.delete(proposal.id);
    this.chosen.delete(proposal.id);
    if (done.status === "stale") {
      new import_obsidian17.Notice(say("Not applied: {0}", "未生效：{0}", String(done.note ?? say("memory changed meanwhile", "记忆已变化"))));
    }
  }
};

// src/settings.js
var import_obsidian18 = require("obsidian");

// src/meanings.js
var MEANINGS = (
  /** @type {Record<string, string>} */
  {
    "language": "en 或 zh：写给你看的文字用哪种语言",
    "memory.folder": "memory/ 在仓库中的位置",
    "review.folder": "审阅笔记写在哪里",
    "review.done_days": "全部决定之后几天，审阅笔记移到 Done（0–365）；0 = 不移动",
    "watch.reconcile_seconds": "每隔多少秒比对一次所有文件的内容（0–3600）；0 = 每次召回之前",
    "enabled": "关闭后只剩健康状态和你自己的命令：没有工具、注入、观察和捕捉",
    "delivery": "notice 会另外显示一行，说明这一轮用到了哪些记忆；context 不显示",
    "auto_recall": "自动把记忆放到每轮之前；关 = 只有主动询问才得到",
    "shadow": "召回并留下回执，但不提供任何条目",
    "recall.max_entries": "本轮索引中的条目数（1–20）；注入文本默认最多 8 条，除非设置了它",
    "recall.fill": "总是给满这么多条，取匹配较弱者中最好的",
    "recall.budget_tokens": "一份索引的估算 token 数（100–4000）",
    "recall.include_pinned": "置顶条目无需匹配也会提供",
    "recall.intent_gate": "问题须问到记忆可能知道的事，或匹配得足够确定",
    "recall.confident_relevance": "相关度（0–1）到此值，匹配就不需要那样的词",
    "recall.min_coverage": "条目至少要覆盖问题的几分之几（0–1）",
    "recall.min_score": "相关度低于 recall.confident_relevance 的匹配的最低得分（0–100）",
    "recall.min_relevance": "匹配的最低相关度（0–1）",
    "recall.min_chars": "更短的消息不提供任何条目（0–100）；一个汉字按两个字母算",
    "recall.query_chars": "更长的问题按头尾排序（40–4000）",
    "recall.trusts": "提供哪些来源的条目；搜索能找到全部",
    "inject.max_chars": "注入文本的字符数（100–20000）",
    "inject.full_entries": "其中给全文的条目数（0–20）；其余给主题和摘要",
    "inject.repeat": "同一会话（session）内不重复注入，turn 只压住紧接的一轮，off 不限",
    "feedback_ranking": "useful 与 wrong 调整已过闸条目的次序",
    "outcome_feedback": "注入之后立刻被纠正的条目降权，最多 24 %",
    "decay.days": "未经本人陈述也未置顶的条目的半衰期（0–3650 天）；0 = 关；只影响次序",
    "decay.floor": "衰减的下限（0–1）",
    "smart": "语义召回与裁决的总开关；各自单独的设置优先",
    "semantic": "auto 寻找本机的服务器或随包模型，local 只用所设的，off 关闭",
    "semantic.endpoint": "最先询问的向量服务器；只能写在 config.toml、环境变量或命令行",
    "semantic.model": "请求的向量模型；同上",
    "semantic.min_similarity": "低于它的相似度不算（0–1）；按模型校准",
    "semantic.timeout_ms": "问题等待其向量的时长（50–10000）",
    "semantic.refresh_minutes": "多久寻找一次服务器（0–1440）；0 = 只在启动时",
    "judge": "llm：有模型时用一次小调用只留下回答问题的条目；off 关闭",
    "judge.model": "裁决用的模型；空 = model.name；同上",
    "judge.provider": "裁决所用的配置档；空 = 与对话模型相同；只能写在 config.toml、环境变量或命令行",
    "judge.timeout_ms": "裁决的硬时限（500–15000）",
    "judge.deadline_ms": "召回等它多久（0–15000）；0 = 等到硬时限",
    "judge.min_chars": "更短的问题不裁决（0–400）；0 = 都裁决",
    "judge.cache_minutes": "同一问题和条目的裁决沿用多久（0–1440）；0 = 不沿用",
    "manage": "你在对话中明确要求的，可以立即改动记忆",
    "sessions.in_vault": "对话保存在插件文件夹里，随库同步；切换时会搬过去；只能写在 config.toml、环境变量或命令行里",
    "capture": "哪些话变成提议：explicit 你要求记住的，implicit 还有约定、偏好和更正，assist 还有线索较弱的长期事实，off 都不提议",
    "capture.max_per_turn": "每轮最多提议几条（1–5）",
    "capture.max_chars": "更长的句子不取（40–1000）",
    "capture.assistant": "每轮再取助手的一条结论，标为推导所得",
    "idle.enabled": "安静之后提议整理",
    "idle.minutes": "安静多久（1–240）",
    "idle.daily_runs": "每天的模型调用次数（0–100），调用之前预留",
    "idle.daily_chars": "每天给模型的输入字符数（0–10000000）",
    "sweep": "定期通查整个记忆中的重复与矛盾：daily、weekly、off",
    "report": "weekly 每周写一份记忆小结；off 不写",
    "complete": "笔记中的行内补全：你要求时，光标周围的文字会发给模型；绝不由仓库设置",
    "complete.memory": "同时附上最多四条相关的记忆；绝不由仓库设置",
    "complete.chat": "在聊天输入框中也可补全；绝不由仓库设置",
    "complete.pause_ms": "停顿这么久就自动补全（300–10000 毫秒）；0 = 只在执行命令时；绝不由仓库设置",
    "complete.excluded": "哪些笔记和文件夹不补全：仓库内路径，用逗号分隔",
    "write_judge": "在 auto_approve 生效前，问模型这句话是否明确、长期有效、只说一件事；绝不由仓库设置",
    "auto_approve": "若 write_judge 打开并同意，你要求记住的话不经勾选即保存；绝不由仓库设置",
    "remind.hours": "等你决定的提议在这段时间内至多提醒一次（1–168）；0 = 从不",
    "model.endpoint": "与 OpenAI 兼容的服务器；空 = 设了密钥就用 DeepSeek；只能写在 config.toml、环境变量或命令行",
    "model.name": "向它请求的模型；同上",
    "model.profile": "用 config.toml 里的某个配置档代替以上两项；同上",
    "model.idle_seconds": "回答可以沉默多久（1–600）；同上",
    "runtime": "native：对话轮次在这里运行；dsh：在 DeepSeek Harness 里运行，记忆是它唯一的工具；与下面三项一样不能写在仓库的文件里",
    "dsh.home": "某个 DSH 的主目录，就地使用其中保存的服务商与密钥；空 = 不用",
    "dsh.provider": "用其中哪一个，例如 deepseek-official；空 = 这里配置的模型",
    "dsh.model": "向该服务商请求的模型；空 = model.name",
    "model.timeout_seconds": "等待回答的时长（1–600）；同上"
  }
);

// src/settings.js
var PROGRAM = "deepseedian-program";
var USUAL = "deepseedian";
function programOf(app) {
  return String(app.loadLocalStorage(PROGRAM) ?? "") || USUAL;
}
var SettingsTab = class extends import_obsidian18.PluginSettingTab {
  /** @param {import("obsidian").App} app @param {import("./main.js").default} plugin */
  constructor(app, plugin) {
    super(app, plugin);
    this.plugin = plugin;
    this.words = "";
    this.asked = 0;
    this.known = [];
    plugin.register(plugin.link.on((kind, data) => {
      if (kind === "presence" && data.presence === "here") {
        void this.learn();
      }
    }));
  }
  async learn() {
    try {
      this.known = /** @type {Value[]} */
      (await this.plugin.client.get("/v1/settings")).settings;
      this.update?.();
    } catch {
      this.known = [];
    }
  }
  /** What Obsidian 1.13 and later draws and searches. */
  getSettingDefinitions() {
    const program = { name: programName(), desc: programMeaning(), render: (row) => this.program(row) };
    return [program, ...this.known.map((value) => ({
      name: value.name,
      desc: meaning(value),
      render: (row) => this.fill(value, row)
    }))];
  }
  /** @param {Setting} row */
  program(row) {
    row.setName(programName()).setDesc(programMeaning()).addText((text2) => text2.setPlaceholder(USUAL).setValue(programOf(this.app)).onChange((value) => this.app.saveLocalStorage(PROGRAM, value.trim() || null)));
  }
  /** What older versions draw. */
  display() {
    const root = this.containerEl;
    root.empty();
    root.addClass("deepseedian");
    this.program(new import_obsidian18.Setting(root));
    const about = root.createDiv({ cls: "deepseedian-meta" });
    const field = root.createEl("input", { type: "search", cls: "deepseedian-edit", attr: { "aria-label": say("Find a setting", "查找设置"), placeholder: say("Find a setting", "查找设置") } });
    field.value = this.words;
    const list2 = root.createDiv({ cls: "deepseedian-settings" });
    field.oninput = () => {
      this.words = field.value;
      void this.list(list2, about);
    };
    void this.list(list2, about);
  }
  /** @param {HTMLElement} list @param {HTMLElement} about */
  async list(list2, about) {
    const asked = ++this.asked;
    try {
      const [found, status] = await Promise.all([this.plugin.client.get("/v1/settings"), this.plugin.client.get("/v1/status")]);
      if (asked !== this.asked) {
        return;
      }
      about.setText(say("{0} memories in {1}", "{0} 条记忆，保存在 {1}", Number(status.entries), String(status.memory)));
      list2.empty();
      found.faults.forEach((text2) => list2.createDiv({ cls: "deepseedian-error", text: text2 }));
      const words2 = this.words.trim().toLowerCase();
      found.settings.filter((value) => `${value.name} ${meaning(value)}`.toLowerCase().includes(words2)).forEach((value) => this.fill(value, new import_obsidian18.Setting(list2)));
    } catch (error2) {
      if (asked === this.asked) {
        list2.empty();
        list2.createDiv({ cls: "deepseedian-error", text: failureText(error2) });
        textButton(list2, say("Start it", "启动"), (event) => this.plugin.startDaemon(
          /** @type {HTMLButtonElement} */
          event.currentTarget
        ), "mod-cta");
      }
    }
  }
  /** @param {Value} value @param {Setting} row */
  fill(value, row) {
    row.setName(value.name);
    const describe = (now) => row.setDesc(say("{0}. From: {1}", "{0}。来自：{1}", meaning(now), originName(now.origin)));
    describe(value);
    row.settingEl.setAttr("data-setting", value.name);
    const save = async (text2) => {
      try {
        const now = (
          /** @type {Value} */
          await this.plugin.client.call("PUT", `/v1/settings/${encodeURIComponent(value.name)}`, { value: text2 })
        );
        describe(now);
        if (String(now.value) !== text2 && Number(text2) !== now.value) {
          new import_obsidian18.Notice(say("{0} is set by {1}, which goes first.", "{0} 由{1}决定，优先于此处。", value.name, originName(now.origin)));
        }
        return now;
      } catch (error2) {
        new import_obsidian18.Notice(failureText(error2));
        return null;
      }
    };
    if (typeof value.value === "boolean") {
      row.addToggle((toggle) => toggle.setValue(value.value === true).onChange((on) => void save(String(on)).then((now) => {
        if (!now || now.value !== on) {
          toggle.toggleEl.toggleClass("is-enabled", !on);
        }
      })));
      return;
    }
    row.addText((text2) => {
      text2.setValue(String(value.value));
      let kept = String(value.value);
      text2.inputEl.onchange = () => void save(text2.inputEl.value).then((now) => {
        kept = now ? String(now.value) : kept;
        text2.inputEl.value = kept;
      });
    });
  }
};
var programName = () => say("Command that starts the daemon", "启动守护进程的命令");
var programMeaning = () => say("A name or a full path, kept on this device only.", "名称或完整路径，只保存在此设备。");
function meaning(value) {
  const text2 = chinese() && Object.hasOwn(MEANINGS, value.name) ? MEANINGS[value.name] : value.meaning.replace(/^[a-z]/, (letter) => letter.toUpperCase());
  return text2.replace(/`/g, "").replace(/[.。]$/, "");
}
function originName(origin) {
  const names = (
    /** @type {Record<string, [string, string]>} */
    {
      default: ["the default", "默认值"],
      "settings.json": ["this vault", "此仓库"],
      "config.toml": ["config.toml", "config.toml"],
      environment: ["the environment", "环境变量"],
      "command line": ["the command line", "命令行"]
    }
  );
  return Object.hasOwn(names, origin) ? say(...names[origin]) : origin;
}

// src/starter.js
var PLACES = [".local/bin", "bin", ".local/pipx/bin", ".cargo/bin"];
var SYSTEM = ["/opt/homebrew/bin", "/usr/local/bin", "/usr/bin", "/bin"];
var PATIENCE_MS = 4e4;
function startDaemon(node, program, vault) {
  const windows = node.platform === "win32";
  const home = program === "~" || program.startsWith("~/") ? node.home + program.slice(1) : program;
  const path2 = [node.env.PATH ?? "", ...PLACES.map((place) => `${node.home}/${place}`), ...SYSTEM].join(windows ? ";" : ":");
  return new Promise((resolve, reject) => {
    node.childProcess.execFile(
      home || "deepseedian",
      ["--vault", vault, "start"],
      { env: { ...node.env, PATH: windows ? node.env.PATH : path2 }, timeout: PATIENCE_MS, windowsHide: true },
      (error2, _out, said) => {
        if (!error2) {
          resolve();
        } else if (
          /** @type {{code?: unknown}} */
          error2.code === "ENOENT"
        ) {
          reject(new Error("deepseedian was not found"));
        } else {
          reject(new Error(String(said).trim().slice(0, 500) || error2.message));
        }
      }
    );
  });
}

// src/status.js
var import_obsidian19 = require("obsidian");
var LATER_MS3 = 150;
function showStatus(plugin) {
  const item = plugin.addStatusBarItem();
  item.addClass("mod-clickable", "deepseedian-status");
  item.setAttr("role", "button");
  const open = () => void (plugin.link.presence === "away" ? plugin.openChat() : plugin.openReview());
  item.onclick = open;
  item.onkeydown = (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      open();
    }
  };
  let count = 0;
  let later = 0;
  const draw = () => {
    const away2 = plugin.link.presence === "away";
    item.setText(away2 ? say("Deepseedian: away", "Deepseedian：未运行") : count ? say("{0} to review", "{0} 条待审阅", count) : "");
    item.setAttr("tabindex", item.textContent ? "0" : "-1");
    (0, import_obsidian19.setTooltip)(item, away2 ? say("Deepseedian is not running.", "Deepseedian 没有运行。") : say("Open the review", "打开审阅"), { placement: "top" });
  };
  const look2 = async () => {
    try {
      count = /** @type {unknown[]} */
      (await plugin.client.get("/v1/proposals")).proposals.length;
    } catch {
      count = 0;
    }
    draw();
  };
  plugin.register(plugin.link.on((kind) => {
    if (kind === "presence" || kind.startsWith("proposal.") || kind === "memory.changed") {
      window.clearTimeout(later);
      later = window.setTimeout(() => void look2(), LATER_MS3);
    }
  }));
  plugin.register(() => window.clearTimeout(later));
  draw();
}

// src/trace.js
var import_obsidian20 = require("obsidian");
var TRACE = "deepseedian-trace";
var MOST5 = 100;
var TOOLS = ["tool_call", "tool_result"];
var TraceView = class extends import_obsidian20.ItemView {
  /** @param {import("obsidian").WorkspaceLeaf} leaf @param {import("./main.js").default} plugin */
  constructor(leaf2, plugin) {
    super(leaf2);
    this.plugin = plugin;
    this.turn = "";
    this.tools = false;
    this.words = "";
    this.trace = null;
  }
  getViewType() {
    return TRACE;
  }
  getDisplayText() {
    return say("Deepseedian trace", "Deepseedian 轨迹");
  }
  getIcon() {
    return "list-tree";
  }
  async onOpen() {
    const root = this.contentEl;
    root.empty();
    root.addClass("deepseedian", "deepseedian-trace");
    const away2 = awayLine(root, this.plugin);
    this.bar = root.createDiv({ cls: "deepseedian-bar" });
    this.list = root.createDiv({ cls: "deepseedian-list" });
    this.register(this.plugin.link.on((kind) => {
      if (kind === "presence") {
        away2.show();
        void this.refresh();
      }
    }));
    await this.refresh();
  }
  async onClose() {
    this.contentEl.empty();
  }
  /** @param {string} turn empty for the list of turns */
  async show(turn) {
    this.turn = turn;
    await this.refresh();
  }
  async refresh() {
    const list2 = this.list;
    if (!list2) {
      return;
    }
    try {
      if (this.turn) {
        this.trace = await this.plugin.client.get(`/v1/traces/${encodeURIComponent(this.turn)}`);
        this.drawTrace(this.trace);
      } else {
        this.drawTurns(
          /** @type {Record<string, any>[]} */
          (await this.plugin.client.get("/v1/traces", { limit: MOST5 })).turns
        );
      }
    } catch (error2) {
      list2.empty();
      emptyLine(list2, failureText(error2));
    }
  }
  /** @param {Record<string, any>[]} turns */
  drawTurns(turns) {
    const list2 = (
      /** @type {HTMLElement} */
      this.list
    );
    this.bar?.empty();
    this.bar?.createSpan({ text: say("The last turns with a model", "最近的各轮对话") });
    list2.empty();
    turns.forEach((turn) => {
      const row = list2.createEl("button", { cls: "deepseedian-open deepseedian-card", attr: { type: "button" } });
      row.createDiv({ cls: "deepseedian-title", text: String(turn.question) });
      row.createDiv({ cls: "deepseedian-meta", text: `${when(String(turn.at))} · ${usageText(turn.usage)}` });
      row.onclick = () => void this.show(String(turn.turn));
    });
    if (!turns.length) {
      emptyLine(list2, say(
        "No turns yet. Each question in the chat leaves one: its steps, the memory that went along, tokens and cost.",
        "还没有对话。聊天中的每个问题都会留下记录：步骤、附带的记忆、词元和费用。"
      ));
    }
  }
  /** @param {Record<string, any>} trace */
  drawTrace(trace) {
    const bar = this.bar;
    if (!bar) {
      return;
    }
    bar.empty();
    textButton(bar, say("All turns", "所有轮次"), () => this.show(""));
    const field = bar.createEl("input", { type: "search", attr: { "aria-label": say("Filter steps", "筛选步骤"), placeholder: say("Filter steps", "筛选步骤") } });
    field.value = this.words;
    field.oninput = () => {
      this.words = field.value;
      this.drawSteps(trace);
    };
    const label = bar.createEl("label");
    const box = label.createEl("input", { type: "checkbox" });
    box.checked = this.tools;
    label.appendText(say(" Tool calls only", " 只看工具调用"));
    box.onchange = () => {
      this.tools = box.checked;
      this.drawSteps(trace);
    };
    bar.createDiv({ cls: "deepseedian-usage", text: `${usageText(trace.usage)}${trace.state ? ` · ${stateName(String(trace.state))}` : ""}` });
    this.drawSteps(trace);
  }
  /** @param {Record<string, any>} trace */
  drawSteps(trace) {
    const list2 = (
      /** @type {HTMLElement} */
      this.list
    );
    list2.empty();
    const steps = (
      /** @type {Step[]} */
      trace.steps
    );
    const words2 = this.words.toLowerCase();
    const start = Date.parse(steps[0]?.at ?? "");
    const seen = steps.filter((step) => (!this.tools || TOOLS.includes(step.kind)) && (!words2 || `${step.kind} ${JSON.stringify(step.detail)}`.toLowerCase().includes(words2)));
    seen.forEach((step) => this.drawStep(step, (Date.parse(step.at) - start) / 1e3, list2));
    if (!seen.length) {
      emptyLine(list2, say("No steps.", "没有步骤。"));
    }
  }
  /** @param {Step} step @param {number} after seconds since the question @param {HTMLElement} list */
  drawStep(step, after, list2) {
    const fold = list2.createEl("details", { cls: "deepseedian-step", attr: { "data-kind": step.kind } });
    const head2 = fold.createEl("summary");
    head2.createSpan({ cls: "deepseedian-time", text: `+${after.toFixed(1)} s` });
    head2.createSpan({ cls: "deepseedian-title", text: stepName(step.kind) });
    head2.createSpan({ cls: "deepseedian-meta", text: summary(step) });
    if (step.kind === "memory") {
      const list3 = fold.createEl("ul");
      (step.detail.index ?? []).forEach((row) => {
        const link3 = list3.createEl("li").createEl("a", { cls: "internal-link", text: row.summary, attr: { href: "#" } });
        link3.onclick = (event) => {
          event.preventDefault();
          void this.plugin.openMemory({ entry: row.id });
        };
      });
    }
    fold.ontoggle = () => {
      if (fold.open && !fold.querySelector("pre")) {
        fold.createEl("pre", { text: JSON.stringify(step.detail, null, 1) });
      }
    };
  }
};
function summary(step) {
  if (step.kind === "memory") {
    return say(
      "{0} offered",
      "{0} 条",
      /** @type {unknown[]} */
      (step.detail.index ?? []).length
    );
  }
  if (step.kind === "request") {
    return say("round {0}, {1} messages", "第 {0} 次，{1} 条消息", Number(step.detail.round), Number(step.detail.messages));
  }
  if (step.kind === "context") {
    return "";
  }
  return step.usage ? usageText(step.usage) : step.preview.slice(0, 160);
}
function stepName(kind) {
  const names = (
    /** @type {Record<string, [string, string]>} */
    {
      question: ["Question", "问题"],
      memory: ["Memory", "记忆"],
      context: ["Context", "上下文"],
      request: ["Request to the model", "请求模型"],
      reasoning: ["Reasoning", "思考"],
      tool_call: ["Tool call", "调用工具"],
      tool_result: ["Tool result", "工具结果"],
      answer: ["Answer", "回答"],
      usage: ["Tokens", "词元"],
      error: ["Failure", "失败"],
      end: ["End", "结束"]
    }
  );
  return Object.hasOwn(names, kind) ? say(...names[kind]) : kind;
}

// src/main.js
var LAST = "deepseedian-session";
var Deepseedian = class extends import_obsidian21.Plugin {
  /** @param {import("obsidian").App} app @param {import("obsidian").PluginManifest} manifest */
  constructor(app, manifest) {
    super(app, manifest);
    const adapter = app.vault.adapter;
    this.vaultPath = adapter instanceof import_obsidian21.FileSystemAdapter ? adapter.getBasePath() : "";
    this.node = desktopNode();
    this.client = new Client(this.node, this.vaultPath);
    this.link = new Link(this.client, pause);
    this.drafts = new Drafts(app);
    this.completion = new Completion(this);
    this.ghosts = ghostText(this.completion);
  }
  onload() {
    this.registerView(CHAT, (leaf2) => new ChatView(leaf2, this));
    this.registerView(REVIEW, (leaf2) => new ReviewView(leaf2, this));
    this.registerView(MEMORY, (leaf2) => new MemoryView(leaf2, this));
    this.registerView(TRACE, (leaf2) => new TraceView(leaf2, this));
    this.addRibbonIcon("messages-square", say("Open Deepseedian chat", "打开 Deepseedian 聊天"), () => void this.openChat());
    this.addSettingTab(new SettingsTab(this.app, this));
    this.registerEditorExtension(this.ghosts.extension);
    this.addCommands();
    showStatus(this);
    this.completion.start();
    this.register(() => this.link.stop());
    this.app.workspace.onLayoutReady(() => {
      this.link.start();
      reportActivity(this);
      this.registerObsidianProtocolHandler("deepseedian", (link3) => void this.openLinked(link3));
    });
  }
  addCommands() {
    this.addCommand({ id: "chat", name: say("Open chat", "打开聊天"), callback: () => void this.openChat() });
    this.addCommand({ id: "review", name: say("Open review", "打开审阅"), callback: () => void this.openReview() });
    this.addCommand({ id: "memory", name: say("Open memory", "打开记忆"), callback: () => void this.openMemory() });
    this.addCommand({ id: "trace", name: say("Open trace", "打开轨迹"), callback: () => void this.openTrace("") });
    this.addCommand({ id: "undo", name: say("Undo the last change of memory", "撤销上次记忆修改"), callback: () => void this.undo() });
    this.addCommand({ id: "complete", name: say("Complete here", "在此处补全"), checkCallback: (checking) => this.completeHere(checking) });
    this.addCommand({
      id: "pin-selection",
      name: say("Ask about the selection", "就选中内容提问"),
      editorCheckCallback: (checking, editor) => this.withSelection(checking, editor, () => void this.askAboutSelection())
    });
    this.addCommand({
      id: "remember-selection",
      name: say("Remember the selection", "记住选中内容"),
      editorCheckCallback: (checking, editor) => this.withSelection(checking, editor, (text2) => void this.remember(text2))
    });
  }
  /** @param {boolean} checking @param {import("obsidian").Editor} editor @param {(text: string) => void} act */
  withSelection(checking, editor, act) {
    const text2 = editor.getSelection().trim();
    if (text2 && !checking) {
      act(text2);
    }
    return Boolean(text2);
  }
  // What the views share
  /**
   * Do something with the daemon; what goes wrong is told to the person, and the result is null then.
   * @template T @param {() => Promise<T>} act @returns {Promise<T | null>}
   */
  async tried(act) {
    try {
      return await act();
    } catch (error2) {
      new import_obsidian21.Notice(failureText(error2));
      return null;
    }
  }
  /** @param {HTMLButtonElement} [button] */
  async startDaemon(button) {
    button?.setAttr("disabled", "");
    try {
      await startDaemon(this.node, programOf(this.app), this.vaultPath);
      this.link.again();
    } catch (error2) {
      const reason = error2 instanceof Error ? error2.message : String(error2);
      new import_obsidian21.Notice(say("It did not start: {0}", "没有启动：{0}", reason), 1e4);
    } finally {
      button?.removeAttribute("disabled");
    }
  }
  /** The conversation that was open last on this device. */
  lastSession() {
    return String(this.app.loadLocalStorage(LAST) ?? "");
  }
  /** @param {string} id */
  keepSession(id) {
    this.app.saveLocalStorage(LAST, id || null);
  }
  // Views
  /** @param {string} type @param {boolean} [side] @returns {Promise<import("obsidian").View | null>} */
  async opened(type, side = false) {
    const workspace = this.app.workspace;
    let leaf2 = workspace.getLeavesOfType(type)[0];
    if (!leaf2) {
      leaf2 = (side ? workspace.getRightLeaf(false) : null) ?? workspace.getLeaf("tab");
      await leaf2.setViewState({ type, active: true });
    }
    await workspace.revealLeaf(leaf2);
    return leaf2.view;
  }
  async openChat() {
    const view = await this.opened(CHAT, true);
    if (view instanceof ChatView) {
      view.composer?.field.focus();
      return view;
    }
    return null;
  }
  /** The links of review notes; anything on this computer may open one, so that it shows a chat and does no more. @param {Record<string, unknown>} link */
  async openLinked(link3) {
    const session = String(link3.session ?? "");
    if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$/.test(session)) {
      await (await this.openChat())?.show(session);
    }
  }
  async openReview() {
    const view = await this.opened(REVIEW);
    if (view instanceof ReviewView) {
      view.list?.focus();
    }
  }
  /** @param {{query?: string, entry?: string}} [wanted] */
  async openMemory(wanted = {}) {
    const view = await this.opened(MEMORY);
    if (view instanceof MemoryView && (wanted.query || wanted.entry)) {
      await view.show(wanted);
    }
  }
  /** @param {string} turn */
  async openTrace(turn) {
    const view = await this.opened(TRACE);
    if (view instanceof TraceView) {
      await view.show(turn);
    }
  }
  // Commands
  /** In the note or the chat that the person is in. @param {boolean} checking */
  completeHere(checking) {
    const chat = this.app.workspace.getActiveViewOfType(ChatView)?.ghost;
    const editor = (
      /** @type {{cm?: import("@codemirror/view").EditorView} | undefined} */
      this.app.workspace.activeEditor?.editor?.cm
    );
    if (!checking) {
      void (chat ? chat.ask(true) : editor && this.ghosts.ask(editor));
    }
    return Boolean(chat ?? editor);
  }
  async undo() {
    const done = await this.tried(() => this.client.post("/v1/undo"));
    if (done) {
      new import_obsidian21.Notice(say("Undone: {0}", "已撤销：{0}", String(done.summary)));
    }
  }
  async askAboutSelection() {
    if (lastEditor(this.app)) {
      const view = await this.openChat();
      view?.composer?.pin();
    }
  }
  /** @param {string} text */
  async remember(text2) {
    const note = this.app.workspace.getActiveFile()?.path;
    const body = note ? { text: text2, source: note } : { text: text2 };
    if (await this.tried(() => this.client.change("POST", "/v1/entries", body))) {
      new import_obsidian21.Notice(say("Remembered.", "已记住。"));
    }
  }
};
function pause(ms, signal) {
  return new Promise((resolve) => {
    const timer = window.setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      window.clearTimeout(timer);
      resolve();
    });
  });
}
/*
markdown-it

Copyright (c) 2014 Vitaly Puzrin, Alex Kocharin.

Permission is hereby granted, free of charge, to any person
obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without
restriction, including without limitation the rights to use,
copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the
Software is furnished to do so, subject to the following
conditions:

The above copyright notice and this permission notice shall be
included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND,
EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES
OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT
HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY,
WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING
FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR
OTHER DEALINGS IN THE SOFTWARE.

----

linkify-it

Copyright (c) 2015 Vitaly Puzrin.

Permission is hereby granted, free of charge, to any person
obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without
restriction, including without limitation the rights to use,
copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the
Software is furnished to do so, subject to the following
conditions:

The above copyright notice and this permission notice shall be
included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND,
EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES
OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT
HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY,
WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING
FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR
OTHER DEALINGS IN THE SOFTWARE.

----

mdurl

Copyright (c) 2015 Vitaly Puzrin, Alex Kocharin.

Permission is hereby granted, free of charge, to any person
obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without
restriction, including without limitation the rights to use,
copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the
Software is furnished to do so, subject to the following
conditions:

The above copyright notice and this permission notice shall be
included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND,
EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES
OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT
HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY,
WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING
FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR
OTHER DEALINGS IN THE SOFTWARE.

--------------------------------------------------------------------------------

.parse() is based on Joyent's node.js `url` code:

Copyright Joyent, Inc. and other Node contributors. All rights reserved.
Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to
deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or
sell copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING
FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS
IN THE SOFTWARE.

----

uc.micro

Copyright Mathias Bynens <https://mathiasbynens.be/>

Permission is hereby granted, free of charge, to any person obtaining
a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including
without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to
permit persons to whom the Software is furnished to do so, subject to
the following conditions:

The above copyright notice and this permission notice shall be
included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND,
EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE
LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION
OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION
WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.

----

entities

Copyright (c) Felix Böhm
All rights reserved.

Redistribution and use in source and binary forms, with or without modification, are permitted provided that the following conditions are met:

Redistributions of source code must retain the above copyright notice, this list of conditions and the following disclaimer.

Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the following disclaimer in the documentation and/or other materials provided with the distribution.

THIS IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS,
EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.

----

punycode.js

Copyright Mathias Bynens <https://mathiasbynens.be/>

Permission is hereby granted, free of charge, to any person obtaining
a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including
without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to
permit persons to whom the Software is furnished to do so, subject to
the following conditions:

The above copyright notice and this permission notice shall be
included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND,
EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE
LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION
OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION
WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
*/
