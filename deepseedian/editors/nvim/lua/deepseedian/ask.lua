--- Asking: a question is written in one window, its answer comes in above it. One conversation per vault.
---
--- A question stays where it was written until the daemon has kept it. What was answered stays, however the turn ends.

local base = require("deepseedian")
local api = vim.api

local M = {}
local chats, count = {}, 0
local space = api.nvim_create_namespace("deepseedian-ask")

local function chat_of(vault)
  if not chats[vault] then
    count = count + 1
    chats[vault] = { vault = vault, session = "", name = count > 1 and (" " .. count) or "", context = {} }
  end
  return chats[vault]
end

-- The answer

--- Put text at the end; windows that stood there follow.
local function append(chat, text)
  local buffer = chat.answer
  if not api.nvim_buf_is_valid(buffer) then
    return
  end
  local last = api.nvim_buf_line_count(buffer)
  local following = vim.tbl_filter(function(window)
    return api.nvim_win_get_cursor(window)[1] == last
  end, vim.fn.win_findbuf(buffer))
  local lines = vim.split(base.shown((text:gsub("\r", ""))), "\n", { plain = true })
  vim.bo[buffer].modifiable = true
  api.nvim_buf_set_text(buffer, -1, -1, -1, -1, lines)
  vim.bo[buffer].modifiable = false
  last = api.nvim_buf_line_count(buffer)
  for _, window in ipairs(following) do
    api.nvim_win_set_cursor(window, { last, 0 })
  end
  if chat.cancel then
    local waiting = base.say(" ⋯ CTRL-C stops", " ⋯ CTRL-C 停止")
    api.nvim_buf_set_extmark(buffer, space, last - 1, 0, { id = 1, virt_text = { { waiting, "Comment" } }, virt_text_pos = "eol" })
  end
end

--- What is missing to begin a paragraph at the end.
local function gap(chat)
  local lines = api.nvim_buf_is_valid(chat.answer) and api.nvim_buf_get_lines(chat.answer, -3, -1, false) or {}
  local last, before = lines[#lines] or "", lines[#lines - 1] or ""
  return last ~= "" and "\n\n" or before ~= "" and "\n" or ""
end

--- A line of its own for what happens beside the answer.
local function beside(chat, text)
  append(chat, gap(chat) .. "· " .. base.line(text) .. "\n\n")
end

local function ended(state, problem)
  if problem then
    return problem
  elseif state == "stopped" then
    return base.say("stopped", "已停止")
  elseif state ~= "done" then
    return base.say("interrupted; :Deepseedian again asks once more", "中断了；:Deepseedian again 重新提问")
  end
end

local function tool(chat, data)
  if data.state == "called" then
    beside(chat, ("%s %s"):format(data.name, vim.fn.strcharpart(data.arguments or "", 0, 120)))
  elseif data.state == "failed" then
    beside(chat, ("%s: %s"):format(data.name, vim.fn.strcharpart(data.preview or "", 0, 200)))
  end
end

local function memory(chat, data)
  local used = vim.tbl_map(function(row)
    return vim.fn.strcharpart(row.summary, 0, 60)
  end, data.index or {})
  if #used > 0 then
    beside(chat, base.say("memory: %s", "记忆：%s", table.concat(used, "; ")))
  end
end

local TAKES = {
  turn = function(chat, data)
    chat.session, chat.turn = data.session, data.turn
    if chat.stopping then
      M.stop()
    end
  end,
  recall = memory,
  tool = tool,
  delta = function(chat, data)
    chat.answered = true
    append(chat, data.text)
  end,
  notice = function(chat, data)
    beside(chat, data.text)
  end,
  proposals = function(chat, data)
    beside(chat, base.say("%d to review: :Deepseedian review", "%d 条待审阅：:Deepseedian review", #data.proposals))
  end,
  error = function(chat, data)
    chat.problem = base.failure({ code = data.code or "", message = data.message or "", hint = data.hint or "" }, chat.vault)
  end,
  done = function(chat, data)
    chat.state = data.state
    if not chat.answered and data.answer then
      append(chat, data.answer)
    end
  end,
}

-- The question

local function about(context)
  local lines = context.startLine and (":%d-%d"):format(context.startLine, context.endLine) or ""
  local where = context.path and base.line(context.path .. lines) or context.selection and base.say("the selection", "选中的内容") or ""
  return where ~= "" and base.say("about %s; ", "关于 %s；", where) or ""
end

--- What goes along with the next question, above where it is written.
local function label(chat)
  local bar = about(chat.context) .. base.say("CTRL-S asks", "CTRL-S 提问")
  for _, window in ipairs(vim.fn.win_findbuf(chat.draft)) do
    vim.wo[window][0].winbar = " " .. bar:gsub("%%", "%%%%") -- a note's name is no expression
  end
end

local function draft_text(chat)
  local good = api.nvim_buf_is_valid(chat.draft)
  return good and vim.trim(base.text(api.nvim_buf_get_lines(chat.draft, 0, -1, false))) or ""
end

--- Put a question that was not asked where questions are written, unless it stands there.
local function give_back(chat, question)
  if draft_text(chat) == question then
    return
  end
  M.made(chat)
  local from = draft_text(chat) == "" and 0 or -1
  api.nvim_buf_set_lines(chat.draft, from, -1, false, vim.split(question, "\n", { plain = true }))
end

--- The daemon has the question: it is shown above its answer and gone from where it was written, unless more was written since.
local function begin(chat, question)
  local quoted = "> " .. question:gsub("\n", "\n> ")
  append(chat, gap(chat) .. quoted .. "\n\n")
  if draft_text(chat) == question then
    api.nvim_buf_set_lines(chat.draft, 0, -1, false, {})
  end
  chat.context = {}
  label(chat)
end

local function send(chat, question, again)
  if chat.cancel then
    if not again then
      give_back(chat, question)
    end
    return base.tell(base.say("an answer is coming; CTRL-C stops it", "正在回答；按 CTRL-C 停止"))
  end
  chat.turn, chat.state, chat.problem, chat.stopping, chat.answered = nil, nil, nil, false, false
  local begun = false
  local context = next(chat.context) and chat.context or vim.empty_dict()
  local body = { question = again and "" or question, session = chat.session, context = context, again = again or false }
  chat.cancel = base.call(chat.vault, "POST", "/v1/ask", body, function(problem)
    chat.cancel = nil
    if api.nvim_buf_is_valid(chat.answer) then
      api.nvim_buf_clear_namespace(chat.answer, space, 0, -1)
    end
    if problem and not begun then
      if not again then
        give_back(chat, question)
      end
      return base.tell(base.failure(problem, chat.vault), problem.code ~= "stopped" and vim.log.levels.ERROR or nil)
    end
    local said = ended(problem and problem.code == "stopped" and "stopped" or chat.state, chat.problem)
    if said then
      beside(chat, said)
    end
  end, {
    on_event = function(kind, data)
      if not begun then
        begun = true
        begin(chat, question)
      end
      if TAKES[kind] then
        TAKES[kind](chat, data)
      end
    end,
  })
end

local function submit(chat)
  local question = draft_text(chat)
  if question ~= "" then
    send(chat, question)
  end
end

-- The windows

--- Make the two buffers, where they are not there any more.
function M.made(chat)
  if chat.answer and api.nvim_buf_is_valid(chat.answer) and api.nvim_buf_is_valid(chat.draft) then
    return
  end
  chat.answer = base.buffer("ask" .. chat.name, chat.vault)
  chat.draft = base.buffer("question" .. chat.name, chat.vault)
  vim.bo[chat.draft].modifiable = true
  vim.bo[chat.draft].undolevels = vim.go.undolevels
  for _, buffer in ipairs({ chat.answer, chat.draft }) do
    vim.bo[buffer].filetype = "markdown"
    base.map(buffer, "n", "<C-c>", "stop the answer", M.stop)
  end
  base.map(chat.draft, "n", "<CR>", "ask", function()
    submit(chat)
  end)
  base.map(chat.draft, { "n", "i" }, "<C-s>", "ask", function()
    submit(chat)
  end)
  base.map(chat.draft, "i", "<C-c>", "stop the answer", function()
    (chat.cancel and M.stop or vim.cmd.stopinsert)()
  end)
  base.map(chat.answer, "n", "q", "close", "<Cmd>close<CR>")
  api.nvim_create_autocmd("BufWipeout", {
    buffer = chat.answer,
    callback = function()
      if chat.cancel then
        chat.cancel()
      end
    end,
  })
end

local function show(chat)
  M.made(chat)
  local answers = base.window(chat.answer, { split = "right", win = -1, width = math.floor(vim.o.columns * base.option("width")) })
  local window = base.window(chat.draft, { split = "below", win = answers, height = 5 })
  label(chat)
  vim.wo[window][0].winfixheight = true
  api.nvim_set_current_win(window)
end

--- Open the windows; ask at once what the command was given. A range goes along as what the question is about.
function M.ask(args)
  local buffer = api.nvim_get_current_buf()
  local vault = base.vault_of(buffer)
  if not vault then
    return
  end
  local chat = chat_of(vault)
  if not vim.b[buffer].deepseedian_vault then
    chat.context = base.context(vault, buffer, base.selection(args))
  end
  show(chat)
  if args.text ~= "" then
    send(chat, base.text({ args.text }))
  end
end

--- Ask the last question once more that failed or was stopped.
function M.again()
  local vault = base.vault_of(api.nvim_get_current_buf())
  local chat = vault and chat_of(vault)
  if chat and chat.session ~= "" then
    show(chat)
    send(chat, base.say("(again)", "（重新提问）"), true)
  elseif chat then
    base.tell(base.say("there is no question to ask again", "没有可以重新提的问题"))
  end
end

--- Begin another conversation; the last one stays with the daemon.
function M.new()
  local vault = base.vault_of(api.nvim_get_current_buf())
  local chat = vault and chat_of(vault)
  if chat and chat.cancel then
    return base.tell(base.say("an answer is coming; CTRL-C stops it", "正在回答；按 CTRL-C 停止"))
  elseif chat then
    chat.session = ""
    show(chat)
    base.write(chat.answer, 0, -1, {})
  end
end

--- Stop what is being answered; what came stays. A second time it does not wait for the daemon.
function M.stop()
  for _, chat in pairs(chats) do
    local cancel = chat.cancel
    if cancel and chat.turn and not chat.asked_to_stop then
      chat.stopping, chat.asked_to_stop = true, true
      base.call(chat.vault, "POST", "/v1/ask/" .. vim.uri_encode(chat.turn, "rfc3986") .. "/stop", vim.empty_dict(), function(problem)
        chat.asked_to_stop = nil
        if problem then
          cancel()
        end
      end, { limit = 5000 })
    elseif cancel and chat.stopping then
      cancel()
    elseif cancel then
      chat.stopping = true
    end
  end
end

return M
