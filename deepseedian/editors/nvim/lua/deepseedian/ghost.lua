--- Ghost text: what could come next at the cursor, asked for by a command, shown in grey and not yet in the buffer.
---
--- While it is shown, and only then, Tab takes it as one step of undo and Esc sends it away. Whatever is typed or moved
--- sends it away too, and an answer that comes after that is dropped.

local base = require("deepseedian")
local api = vim.api

local M = {}
local space = api.nvim_create_namespace("deepseedian-ghost")
local group = api.nvim_create_augroup("deepseedian-ghost", { clear = true })
local BEFORE, AFTER, TITLE, MOST, LIMIT = 3000, 1000, 200, 500, 12000
local now -- what is asked or shown: {buffer, row, column, tick, cancel, text, keys}

-- Where nothing is completed

--- The kind of block that the last of these lines stands in: front matter, code or math.
local function block(lines)
  local fence, matter = nil, lines[1] == "---"
  for number, line in ipairs(lines) do
    local mark = line:match("^%s*(```+)") or line:match("^%s*(~~~+)") or line:match("^%s*(%$%$)")
    if matter then
      matter = number == 1 or not line:match("^%-%-%-%s*$") and not line:match("^%.%.%.%s*$")
    elseif not fence and mark then
      fence = mark ~= "$$" and mark or not line:match("%$%$.*%$%$") and mark or nil
    elseif fence and mark and mark:sub(1, 1) == fence:sub(1, 1) and #mark >= #fence then
      fence = nil
    end
  end
  return matter and base.say("front matter", "属性区") or fence and (fence == "$$" and base.say("math", "公式") or base.say("code", "代码"))
end

local function odd(text, pattern)
  return select(2, text:gsub(pattern, "")) % 2 == 1
end

--- Whether a formula is open at the end of a text; an amount of money is none.
local function in_math(text)
  local rest = text:gsub("%$[^%s%$]%$", ""):gsub("%$[^%s%$][^%$]*[^%s%$]%$", "")
  return rest:find("%$[^%d%s]") or rest:find("%$$")
end

--- What the cursor stands in within its line; nil for plain text. The daemon looks at more than the line.
local function inline(before, after)
  local open = before:match("%[[^%]]*$") or before:match("%]%([^%)]*$") or before:match("%f[%w]%a[%w+.-]*://%S*$") or before:match("<[^>%s][^>]*$")
  if before:match("^%s*$") then
    return base.say("the start of a line", "行首")
  elseif before:match("^#+%s") then
    return base.say("a heading", "标题")
  elseif before:match("^%s*|") or after:match("|%s*$") then
    return base.say("a table", "表格")
  elseif odd(before, "`") then
    return base.say("code", "代码")
  elseif in_math(before) then
    return base.say("math", "公式")
  elseif odd(before, "%%%%") then
    return base.say("a comment", "注释")
  elseif open then
    return base.say("a link", "链接")
  elseif (" " .. before):match("%s#%S*$") then
    return base.say("a tag", "标签")
  elseif before:match("[%w_]$") and after:match("^[%w_]") then
    return base.say("the middle of a word", "单词中间")
  end
end

local function refused(buffer, row, column)
  if vim.bo[buffer].buftype ~= "" or not vim.bo[buffer].modifiable or vim.bo[buffer].readonly then
    return base.say("this buffer is no note that can be written", "这个缓冲区不是可写的笔记")
  elseif vim.bo[buffer].filetype ~= "markdown" and not api.nvim_buf_get_name(buffer):match("%.md$") then
    return base.say("only Markdown notes are completed", "只补全 Markdown 笔记")
  end
  local lines = api.nvim_buf_get_lines(buffer, 0, row, false)
  local line = lines[row]
  local where = block(lines) or inline(line:sub(1, column), line:sub(column + 1))
  return where and base.say("nothing is completed here: %s", "这里不补全：%s", where)
end

-- Showing it and taking it away

--- Give the keys back as they were.
local function release(keys, buffer)
  for key, mapping in pairs(keys or {}) do
    pcall(vim.keymap.del, "i", key, { buffer = buffer })
    if mapping.buffer == 1 then
      api.nvim_buf_call(buffer, function()
        vim.fn.mapset("i", false, mapping)
      end)
    end
  end
end

--- Forget what is asked or shown.
function M.clear()
  local old = now
  now = nil
  if not old then
    return
  end
  api.nvim_clear_autocmds({ group = group })
  if old.cancel then
    old.cancel()
  end
  if api.nvim_buf_is_valid(old.buffer) then
    api.nvim_buf_clear_namespace(old.buffer, space, 0, -1)
    release(old.keys, old.buffer)
  end
end

--- The text that Tab puts in, for the expression register.
function M.taken()
  local shown = now
  vim.schedule(function()
    if now == shown then
      M.clear()
    end
  end)
  return shown and shown.text or ""
end

local function bind(key, action, options)
  local old = vim.fn.maparg(key, "i", false, true)
  vim.keymap.set("i", key, action, vim.tbl_extend("force", { buffer = now.buffer, nowait = true, desc = "Deepseedian: ghost text" }, options))
  now.keys[key] = old
end

--- Whether text and cursor are as they were when it was asked.
local function unmoved(asked)
  return api.nvim_get_current_buf() == asked.buffer and vim.deep_equal(api.nvim_win_get_cursor(0), { asked.row, asked.column })
    and api.nvim_buf_get_changedtick(asked.buffer) == asked.tick
end

local function still(asked)
  return now == asked and unmoved(asked) and api.nvim_get_mode().mode == "i" and vim.fn.pumvisible() == 0
end

--- The events of what was typed just before come late, too: they send nothing away.
local function moved()
  if now and not unmoved(now) then
    M.clear()
  end
end

local function show(asked, text)
  asked.text, asked.keys = text, {}
  api.nvim_set_hl(0, "DeepseedianGhost", { link = "Comment", default = true })
  local grey = { { text, "DeepseedianGhost" } }
  api.nvim_buf_set_extmark(asked.buffer, space, asked.row - 1, asked.column, { virt_text = grey, virt_text_pos = "inline" })
  -- CTRL-G u makes it a step of its own; CTRL-R CTRL-O puts it in as it is, without indenting, wrapping or abbreviations.
  bind("<Tab>", "<C-g>u<C-r><C-o>=v:lua.require'deepseedian.ghost'.taken()<CR><C-g>u", { silent = true })
  bind("<Esc>", M.clear, {})
end

--- One line without anything that is no plain text: more is never put in, whoever says so.
local function plain(text)
  return type(text) == "string" and vim.fn.strchars(text) <= MOST and base.shown(text) == text and not text:find("[\n\t]")
end

local function answered(asked, problem, found)
  asked.cancel = nil
  if not still(asked) then
    return now == asked and M.clear()
  end
  if not problem and plain(found.text) and found.text:find("%S") then
    return show(asked, found.text)
  end
  M.clear()
  if problem and problem.status == 404 then
    base.tell(base.say("this daemon completes nothing yet; a newer one does", "这个守护进程还不支持补全，请更新"))
  elseif problem then
    base.tell(base.failure(problem, asked.vault))
  else
    local why = found.message or found.reason or base.say("it was no plain line", "不是一行纯文本")
    local hint = (found.hint or "") ~= "" and (" (%s)"):format(found.hint) or ""
    base.tell(base.say("no suggestion: %s%s", "没有建议：%s%s", why, hint))
  end
end

local function ask()
  local buffer = api.nvim_get_current_buf()
  local row, column = unpack(api.nvim_win_get_cursor(0))
  local vault = base.vault_of(buffer)
  local why = vault and refused(buffer, row, column)
  if not vault or why then
    return why and base.tell(why)
  end
  local lines = api.nvim_buf_get_lines(buffer, math.max(0, row - BEFORE), row + AFTER, false)
  local at = row - math.max(0, row - BEFORE)
  local line = lines[at]
  local before = base.text(vim.list_extend(vim.list_slice(lines, 1, at - 1), { line:sub(1, column) }))
  local after = base.text(vim.list_extend({ line:sub(column + 1) }, vim.list_slice(lines, at + 1)))
  local body = {
    before = vim.fn.strcharpart(before, math.max(0, vim.fn.strchars(before) - BEFORE)),
    after = base.cut(after, AFTER),
    title = base.cut(vim.fn.fnamemodify(api.nvim_buf_get_name(buffer), ":t:r"), TITLE),
    path = base.path_in(vault, buffer) or "",
  }
  now = { vault = vault, buffer = buffer, row = row, column = column, tick = api.nvim_buf_get_changedtick(buffer) }
  local asked = now
  api.nvim_create_autocmd({ "TextChangedI", "TextChangedP", "CursorMovedI" }, { group = group, buffer = buffer, callback = moved })
  local ends = { "InsertLeave", "BufLeave", "CompleteChanged", "BufUnload" }
  api.nvim_create_autocmd(ends, { group = group, buffer = buffer, callback = M.clear })
  api.nvim_create_autocmd("ModeChanged", { group = group, pattern = "i*:n*", callback = M.clear }) -- CTRL-C leaves without InsertLeave
  asked.cancel = base.call(vault, "POST", "/v1/complete", body, function(problem, found)
    if not problem or problem.code ~= "stopped" then
      answered(asked, problem, found)
    end
  end, { limit = LIMIT })
end

--- Ask what could come next at the cursor. From normal mode it goes on writing there.
function M.complete()
  M.clear()
  if api.nvim_get_mode().mode:sub(1, 1) == "i" then
    return ask()
  end
  api.nvim_create_autocmd("InsertEnter", { group = group, once = true, callback = vim.schedule_wrap(ask) })
  local line, column = api.nvim_get_current_line(), api.nvim_win_get_cursor(0)[2]
  local last = line == "" or column + vim.str_utf_end(line, column + 1) + 1 >= #line
  vim.cmd(last and "startinsert!" or "startinsert")
end

return M
