"""What a sentence says besides, that keeps it from being a lasting statement of the owner.

Questions, suppositions, guesses, what other people say, examples, sarcasm, praise of an answer, troubles and tasks of the
moment. Which of these count depends on the cue: who asks to remember something may well say when it happens.
"""

import re

_I = re.IGNORECASE
_MARK = re.compile(r"[?？][\"”'’」』)）]*\s*$")
_QUESTION_EN = re.compile(
    r"^(?:so |and |but |ok(?:ay)?,? |well,? |hey,? |hi,? |also,? |then )*(?:what|which|who|whom|whose|where|why|how|is|are|am|was|"
    r"were|does|did|"
    r"do (?!not\b)|can (?!you (?:please )?(?:always|never|stop|remember|keep))|could|should|would|will|shall|has|have (?:we|you|i|"
    r"they)|any idea|any way)\b|"
    r"^when (?:is|are|was|were|do|does|did|will|should|can)\b|\b(?:i wonder|wondering|do you (?:know|remember|think|recall)|"
    r"can you tell|tell me (?:what|which|who|where|when|how|why|if|whether)|remind me|"
    r"not sure|don't know|do not know|no idea|unsure|right\?|ok\?)", _I)
_QUESTION_ZH = re.compile(
    r"(?:吗|嗎|呢|么|没有|来着|是吧|对吧|好不好|行不行|对不对|是不是|与否|没)[。.!！～~\s]*$|是不是|要不要|能不能|有没有|会不会|"
    r"该不该|可不可以|用不用|需不需要|是否|"
    r"怎么(?!样都|都|也)|为什么|为何|为啥|什么(?!都|也|的(?=$|[，,。]))|哪(?!怕|天.{0,3}都|里都|儿都)|谁(?!都|也)|多少|"
    r"几[点个号月次位种]|如何|多久|多大|多长|难道|你(?:还)?记不?得|你知道|你觉得|告诉我(?!一声|再|后|才)|不知道|不清楚|不确定|"
    r"想知道|请问")
_CONDITION_EN = re.compile(
    r"^(?:just )?assume (?:that |i |we |my |you )|(?:^|[,.;:—–-]\s*|\b(?:and|but|so|well|then|ok|okay) )(?:suppose|supposing|"
    r"imagine|assuming|let's (?:say|suppose|imagine|assume|pretend)|say (?:i|we)\b|what if|hypothetically|if only|"
    r"i wish|were (?:i|we)\b|theoretically|in theory|in an ideal world)|\b(?:would have|could have|"
    r"might have|would probably|i(?:'d| would) (?!rather|prefer|sooner|like (?:you|all|every|my|your)|"
    r"appreciate)|we'd (?!rather|prefer|agreed|decided)|"
    r"\bif (?:i|we|my|our|you) (?:were|had|moved|won|lived|could|ever|was|became|knew|got|decided|used|"
    r"switched|wanted|didn't|ate|drank|liked|preferred)\b|would (?!rather|prefer|like you|like all)\w+)\b", _I)
_CONDITION_ZH = re.compile(
    r"假如|假设|假使|倘若|假定|想象|设想|万一|要是能|如果能|如果我(?:有|是|能|搬|会|当|变|赢|中|不|再|们)|如果我|要是我|"
    r"如果有(?:一天|钱|机会)|要是有|的话就好|就好了|早知道|本来可以|本来想|幻想|理论上|若是我|换作我|换做我|如果(?=.*(?:会|就能|"
    r"可能))|要是(?=.*(?:呢|会))")
_GUESS_EN = re.compile(
    r"\b(?:maybe|perhaps|possibly|might|probably|i guess|i suppose|i think|we think|i believe|i assume|i hope|i feel like|seems?|"
    r"seemingly|not sure|unsure|considering|thinking (?:about|of)|thought about|some ?day|at some point|tempted to|"
    r"could be|should probably|not decided|haven't decided|undecided|on the fence|sort of wonder|supposedly|"
    r"apparently|rumou?rs?|who knows|leaning)\b", _I)
_GUESS_ZH = re.compile(
    r"也许|(?<!尽)可能(?!会?影响)|大概|说不定|没准|不确定|好像|似乎|我猜|估计|或许|兴许|哪天|有朝一日|还没(?:有)?(?:决定|想好|定|"
    r"确定)|没想好|在考虑|考虑一下|考虑(?:要|把|用|换)|犹豫|据说|听说|应该会|恐怕|要不(?:我们|咱|就)|不如|再说吧|拿不准|纠结|未定|"
    r"待定")
_SAYS_EN = re.compile(
    r"(?<!as i )(?<!\bi )(?<!\bwe )(?<!\bi've )(?<!\bwe've )(?<!i already )(?<!\bi just )\b(?:said|says|saying|told (?:me|us|him|"
    r"her|them|everyone)|claims?|claimed|wrote|writes that|argues?|argued|thinks|thought that|believes|insists?|insisted|mentioned|"
    r"replied|"
    r"whispered|shouted|announced|stated|states that|explained|suggested|suggests|recommends?|recommended|"
    r"commented|tweeted|posted|warned|put it|according to|quote|quoted|heard that|"
    r"read that|reads:|rumou?red|asked (?:me|us) to|asks (?:me|us) to|wants? (?:me|us|you) to|want us|asked us|"
    r"asked me|reportedly|allegedly)\b", _I)
_SAYS_ZH = re.compile(
    r"(?<!我)(?<!我们)(?<!听我)(?<!老实)(?<!实话)(?<!如实)(?<!顺便)(?<!简单)(?<!严格来)(?<!总的来)(?<!总体来)(?<!一般来)(?<!通常来)(?"
    r"<!据实)(?<!比如)(?<!对我来)(?<!来)(?<!再)(?<!小)(?<!话)(?<!照我)(?<!按我)(?<!如我)(?<!刚)(?<!以前)(?<!之前)(?<!刚才)(?<!上次)(?"
    r":说(?!好|定|错|个事|件事|一声|一下|实话|真的|起来|到底|白了|来也|明|法|英|中文|普通|粤|法语|日语|德语|四川|方言|话(?:要|别|"
    r"不要|请|直接|简)|双语|不定)|表示|认为|声称|宣称|写道|告诉(?:我|我们|过我)|提到|强调|指出|据[^，,]{1,8}(?:讲|称|说|报道)|嘱咐|"
    r"吩咐|"
    r"(?<!我)(?<!我们)(?:希望|要求|让|(?<!不)要|(?<!不要)(?<!别)(?<!以后)(?<!可以)(?<!就)(?<!请)叫|请)(?:我|我们|大家)(?!记|的|每|用)|讲过|回复说|留言|转述|原话|原文)|"
    r"[^，,。我]{1,8}(?:要|希望|让|叫|请)(?:我|我们|大家)(?:记住|记得|以后)")
_HE_EN = re.compile(
    r"^(?:and |but |so |then |well,? )*(?:he|she|they|his|her|their)\b|^(?:and |but |so |then |well,? )*(?:you|your) (?!(?:can|may|"
    r"should|must|don't|do not|never|need)\b)", _I)
_HE_ZH = re.compile(r"^(?:而且|但|但是|然后|所以)?[，,]?(?:他|她|他们|她们|人家|对方|别人|有人|网友)")
_EXAMPLE_EN = re.compile(
    r"\b(?:for example|for instance|e\.g\.|such as|like this:|sample|(?<![.@\w-])example(?![.\w-])|dummy|placeholder|lorem|"
    r"test (?:sentence|message|input|case|phrase|data|string|prompt)|fictional|made-up|imaginary|users? (?:might|may|could|would)|"
    r"somebody (?:might|may|could)|some(?:one|body) who|people (?:who|often|usually)|a person who|in (?:french|"
    r"german|spanish|italian|chinese|english|latin|japanese)\s*[:?]|translat(?:e|ing)\b|the (?:word|phrase|"
    r"sentence|comment|sign|slogan|line|title|quote|article|docs|documentation|readme|prompt|book|manual))\b", _I)
_EXAMPLE_ZH = re.compile(
    r"例如|比如|譬如|举例|举个例|示例|例句|样例|样本|范例|测试(?:句|用例|数据|消息|输入|文本)|占位|虚构|编造|假想|用户(?:可能|会|"
    r"也许)|有人(?:可能|会)|翻译(?:成|一下|下面|这)|译成|怎么说|造句|这句话?|那句|文章里|书里|文中|电影里|标语|牌子|口号|注释里|"
    r"歌里|剧里|台词")
_MOMENT_EN = re.compile(
    r"\b(?:today|tonight|tomorrow|right now|just now|this time|for now|at the moment|yesterday|last night|this (?:morning|afternoon|"
    r"evening|instant|minute|second)|asap|in (?:a|\d+|five|ten|two|an) (?:minutes?|hours?|moments?|seconds?|sec)|"
    r"once more|again please|this (?:answer|paragraph|function|file|message|chat|conversation|reply|sentence|"
    r"table|list|essay|email|text|page|line|code|script|class|method|question|section|chapter|response|summary|"
    r"one|step|query|image|picture|error|commit|"
    r"branch|ticket|task|test|loop|variable|document|draft|slide|session|particular|case|build|run|part|word|"
    r"version|title)|the (?:above|following|attached|previous|last|first|second|third|"
    r"next) (?:\w+ )?(?:paragraph|function|answer|sentence|option|one|version|table|line|"
    r"message|reply|list|code|file|section|draft|image|picture|example|variable|step|error|suggestion|proposal|"
    r"idea|part|half)|here\b(?! (?:in|at|we))|below|above|until (?:then|lunch|noon)|by (?:noon|eod|end of day|"
    r"tonight|tomorrow|monday)|"
    r"in a (?:hurry|rush)|on (?:my phone|the (?:train|bus|plane|go|way))|(?:very |so |really |too )?(?:tired|"
    r"exhausted|hungry|busy|bored)|since (?:this|the) \w+|for (?:hours|the (?:last|past) (?:few |"
    r"couple of )?(?:hours?|minutes?|days?))|all (?:day|morning|night)|currently (?:\w+ing|stuck)|i(?:'m|"
    r" am) (?:just |still |now )*(?:trying|getting|having|looking|running|going|working on (?:this|a|the)|"
    r"writing (?:this|a|an)|stuck|about to|wondering|asking|debugging|implementing|testing|building|planning|"
    r"reading this)|just (?:got|had|finished|"
    r"started|installed|ran|tried|noticed|saw|read|sent|uploaded|woke|came|bought|ate|met|saw|lost)|"
    r"i need (?:to|a|an|the|some|help|you|this|it)|we need (?:to|a|an|the|some|help|this|it)|i have to|"
    r"we have to|i must|i(?:'ll| will)\b|we'll|let me|i gotta|next (?:week|mon|tues|wednes|thurs|fri|satur|"
    r"sun)\w*|this (?:week|weekend)|last (?:week|weekend|month))\b", _I)
_MOMENT_ZH = re.compile(
    r"今天(?!起|开始)|今晚|明天(?!起|开始)|后天|现在(?=就|马上|想|要|需要|正|卡|遇|出(?!差)|报|有[个点]|帮|给|来|去|请|先|能|可以|"
    r"怎么|几点|跑|试|的问题|这|$|[，,。])|刚才|刚刚|这次(?!起|开始)|这回|待会|等下|等会|一会儿?|马上|今早|今天早上|昨天|昨晚|前天|"
    r"正在(?!学|减|备|努力)|暂时|眼下|本次|先这样|立刻|赶紧|快点|"
    r"这(?:一)?(?:段|句|篇|章|行|个(?:回答|函数|文件|变量|表|按钮|页面|脚本|类|方法|问题|方案|答案|报错|例子|"
    r"版本|标题|词|功能|列表|图|错误|循环|接口|测试|提交|分支|任务|主意|想法|设计|颜色|字体|名字|解释|结果|"
    r"改法|写法|点子)|张图|份(?:报告|文档|简历|邮件|稿)|封信|封邮件|道题|首诗|块代码|段代码)|上面|下面|上述|"
    r"以下|第[一二三四五\d]+(?:个|种|版|段|句|行|条|章)(?!.*(?:每|规则))|刚(?:到|买|吃|睡|醒|回|装|跑|试|看|写|"
    r"改|发|收|下)|下周|这周(?!起|开始)|本周|周末(?=要|去)|上周|"
    r"我(?:要|得|想|需要)(?!在|学|今年|明年)(?:先|去|找|问|请|让|看|写|做|改|用|把|给|一|你|个)|"
    r"帮我(?![^，,。]{1,20}(?:时候?|时)[，,都要就只先])|给我(?:写|做|改|看|找|生成|列|画|算|查|"
    r"来)(?!.*(?:时候?|只|都|一律))|(?:提醒|叫|喊|通知)我(?=.*[点时])|我(?:好|很|真|特别|有点|就|"
    r"也)?想(?:要)?(?:喝|吃|睡|买|去|看|玩|休息|知道|问|找|请|让|把|写|改|试|回|听|聊|换个|点)(?!.*(?:今年|"
    r"明年|以后|每))|赶时间|很急|着急|有点累|累死|在路上|在地铁|在开会|有个会|在忙|忙着|困了|饿")
_TROUBLE_EN = re.compile(
    r"\b(?:errors?|exceptions?|fail(?:s|ed|ing|ure)?|crash\w*|bugs?|undefined|null\b|404|500|timed? ?out|doesn't work|not working|"
    r"isn't working|won't (?:work|start|load|compile|build|run)|broken|stuck|segfault|stack ?trace|traceback|hangs?|freez\w+ up|"
    r"(?:always|never|still|keep|keeps|kept) (?:get|gets|getting|got|see|seeing|receive|receiving|hit|hitting|"
    r"run into)|can't (?:find|get|connect|open|log|figure|seem|access|install|compile|import)|cannot (?:find|"
    r"connect|open|import)|returns? (?:none|null|nothing|an? empty|4\d\d|5\d\d)|warning|leak(?:s|ing)|"
    r"doesn't (?:seem|appear|compile|build|load|respond)|red squiggle|wrong (?:result|output|value))\b", _I)
_TROUBLE_ZH = re.compile(
    r"报错|出错|错误|失败|崩溃|崩了|挂了|挂掉|\bbug\b|超时|卡住|卡在|卡死|不工作|没反应|打不开|异常|死机|连不上|跑不通|编译不过|"
    r"装不上|起不来|找不到|进不去|登不上|不生效|乱码|有问题|出问题|没用|不管用|404|500错", _I)
_SARCASM_EN = re.compile(
    r"/s\b|\b(?:yeah,? right|oh,? (?:great|sure|joy|wonderful|fantastic|perfect|lovely)|sure,? because|as if|thanks a lot|"
    r"thanks for nothing|how lovely|just what i needed|couldn't be happier|lucky me|what a joy|nothing beats|"
    r"who doesn't (?:love|like|enjoy)|wow,? i|great,? i (?:just )?(?:love|always|enjoy)|can't wait to (?:debug|"
    r"fix|wait|spend))\b|\b(?:just|absolutely|really|so|simply|totally|always|do) (?:love|enjoy|adore|"
    r"like)(?: it)?(?: \w+){0,3}? (?:when|being|how|having to|losing|waiting|debugging|reading \d+|"
    r"spending)\b.{0,60}"
    r"(?:break|crash|fail|ignor|los|wait|midnight|bug|error|wast|delet|burn|down|stuck|noth|again|lines|hours|"
    r"merge conflict|monday|deadline|weekend|outage|slow)", _I)
_SARCASM_ZH = re.compile(
    r"呵呵|谢谢啊|谢谢您嘞|真棒[，,]|真是(?:太)?(?:好|棒|贴心|谢谢)|太好了[，,。!！]|好极了[，,]|可真(?:行|会|棒|好)|^是啊[，,]|"
    r"^对啊[，,]我就|我就(?:爱|喜欢|好)(?=.*(?:白|挂|崩|错|加班|行的|无视|卡|等|丢|删|半夜|通宵|重写|bug|被))|最(?:爱|"
    r"喜欢).{0,12}(?:被|挂|崩|白干|报错|宕机|丢|无视|加班|通宵|卡死|返工|背锅)|求之不得呢|开心死了|乐死我了|[嘛呢]?🙄|🙃|还真是")
_PRAISE_EN = re.compile(
    r"\b(?:like|love|prefer|hate|dislike|enjoy(?:ed)?|adore|loved|don't like|want|use|choose|pick|take|chose|went with|go with|"
    r"going with|picked|agreed (?:with|to)) (?:it|that|this|these|those|them|your|option|version|answer|variant|number|"
    r"the (?:\w+ )?(?:one|option|version|answer|idea|suggestion|first|second|third|last|latter|former|way you|"
    r"second one|result|plan|approach|draft|wording|code|title))\b(?! (?:kind|style|sort|type) of)", _I)
_PRAISE_ZH = re.compile(
    r"(?:喜欢|爱|讨厌|选|要|就用|偏向|倾向于?|想要|同意|赞成|采用|改成|换成)(?:了|死)?(?:这(?!种|类|样)|那(?!种|类|样)|你的|你这|"
    r"你写|你给|它|第[一二三四五\d]|上面|前者|后者|方案|[Aa-dD](?=方案|选项|$|[。，]))|喜欢[。!！~～]*$|喜欢你(?!.*(?:时|都|每))|"
    r"(?:^|[，,])(?:我)?(?:很|太|挺|真|好)?(?:喜欢|爱了)[，,！!。]")
_DONE_EN = re.compile(
    r"^(?:yes|yeah|yep|ok|okay|got it|thanks|thank you|perfect|great|good|exactly|sure|fine|right|cool|nice|awesome|understood|"
    r"agreed|done|i see|makes sense|sounds good|no problem|never mind|no worries|alright|will do|lgtm)\b[^,;:]{0,40}[.!]*$", _I)
_UNDONE_ZH = re.compile(r"决定不了|帮我决定|怎么决定|没(?:有)?决定|还没定|没定下来|待决定|谁决定|由你决定|你来?决定")
_SMALL_TALK_ZH = re.compile(
    r"我是(?:说|想|指|觉得|问|怕)|我喜欢你|我爱你|不好意思|对不起|谢谢你?|辛苦了|哈哈|我(?:也)?(?:觉得|认为|感觉)|怎么样|天气不错")

_CJK = re.compile("[\u4e00-\u9fff]")
_LATIN = re.compile("[A-Za-z]{2}|/s")


def _any(text: str, english: "re.Pattern[str]", chinese: "re.Pattern[str]") -> bool:
    return (_LATIN.search(text) is not None and english.search(text) is not None) or (
        _CJK.search(text) is not None and chinese.search(text) is not None)


def question(text: str) -> bool:
    return _MARK.search(text) is not None or _any(text, _QUESTION_EN, _QUESTION_ZH)


def supposed(text: str) -> bool:
    return _any(text, _CONDITION_EN, _CONDITION_ZH)


def guessed(text: str) -> bool:
    return _any(text, _GUESS_EN, _GUESS_ZH)


_ADVISED = re.compile(
    r"\b(?:doctor|gp|dentist|physio\w*|nutritionist|therapist|lawyer|tax adviser)\b.{0,20}\b(?:told|advised|warned|forbade|asked|"
    r"wants) me|(?:医生|大夫|牙医|律师|营养师)[^，,。]{0,6}(?:让我|叫我|要我|嘱咐我?|说我|不让我|禁止我|要求我)", _I)


def others(text: str) -> bool:
    """Whether somebody else says it; what a doctor told the owner is the owner's."""
    if _ADVISED.search(text):
        return False
    return _any(text, _SAYS_EN, _SAYS_ZH) or _any(text, _HE_EN, _HE_ZH)


def example(text: str) -> bool:
    return _any(text, _EXAMPLE_EN, _EXAMPLE_ZH)


def moment(text: str) -> bool:
    """Whether it is about this answer, this hour, or something to be done now."""
    return _any(text, _MOMENT_EN, _MOMENT_ZH)


def trouble(text: str) -> bool:
    return _any(text, _TROUBLE_EN, _TROUBLE_ZH)


def sarcasm(text: str) -> bool:
    return _any(text, _SARCASM_EN, _SARCASM_ZH)


def praise(text: str) -> bool:
    """Whether it is about what stands before the person now: an answer liked, an option chosen."""
    return _any(text, _PRAISE_EN, _PRAISE_ZH) or _DONE_EN.search(text) is not None


def undecided(text: str) -> bool:
    return _UNDONE_ZH.search(text) is not None


def chat(text: str) -> bool:
    return _SMALL_TALK_ZH.search(text) is not None
