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
    r"(?:吗|嗎|呢|么|没有|来着|是吧|对吧|好不好|行不行|对不对|是不是|与否|没)[。.!！～~\s]*$|是不是|(?:是|定|选)[^，,]{1,8}还是(?!要|得|"
    r"会|没|很|有|先|想|不|就|老|用)|要不要|能不能|有没有|会不会|"
    r"该不该|可不可以|用不用|需不需要|是否|"
    r"怎么(?!样都|都|也)|怎样(?!都|也)|咋(?!样都|都|也|呼)|啥(?!都|也|的)|(?<!任)何时|哪儿(?!都|也)|为什么(?![，,]?(?:而|不是|别))|为何|"
    r"为啥|(?<!为)什么(?!都|也|的(?=$|[，,。]))|哪(?!怕|天.{0,3}都|里都|儿都)|谁(?!都|也|[^，,]{1,8}谁|就|来)|多少|"
    r"(?<![好十数前后这那])几[点个号月次位种]|如何|多久|多大|多长|难道|你(?:还)?记不?得|你知道|你觉得|告诉我(?!一声|再|后|才)|不知道|"
    r"不清楚|不确定|"
    r"想知道|请问")
_CONDITION_EN = re.compile(
    r"^(?:just )?assume (?:that |i |we |my |you )|(?:^|[,.;:—–-]\s*|\b(?:and|but|so|well|then|ok|okay) )(?:suppose|supposing|"
    r"imagine|assuming|let's (?:say|suppose|imagine|assume|pretend)|say (?:i|we)\b|what if|hypothetically|if only|"
    r"i wish|were (?:i|we)\b|theoretically|in theory|in an ideal world)|\b(?:would have|could have|"
    r"might have|would probably|i(?:'d| would) (?!rather|prefer|sooner|like (?:you|all|every|my|your)|"
    r"appreciate)|we'd (?!rather|prefer|agreed|decided)|"
    r"\bif (?:i|we|my|our|you) (?:were|had|moved|won|lived|could|ever|was|became|knew|got|decided|used|"
    r"switched|wanted|didn't|ate|drank|liked|preferred)\b|"
    r"\bif (?:\w+ ){1,3}(?<!prefer if )(?<!appreciate it if )(?<!prefer it if )(?:(?<!you )didn't|weren't|hadn't|wasn't|couldn't)\b|"
    r"would (?!rather|prefer|like you|like all)\w+)\b", _I)
_CONDITION_ZH = re.compile(
    r"假如|假设|要是(?![^，,]{1,20}(?:别|不要|先|请|就(?:用|写|叫|说|按|给|删|跳)|问我|告诉我|提醒))|假使|倘若|假定|想象|设想|万一|"
    r"要是能|如果能|如果我(?:有|是|能|搬|会|当|变|赢|中|不|再|们)|如果我|要是我|"
    r"如果有(?:一天|钱|机会)|要是有|的话就好|就好了|早知道|本来可以|本来想|幻想|理论上|若是我|换作我|换做我|的话[，,]我?(?:倒|会|就|更|"
    r"宁|可能|肯定)|有钱的话|如果(?=.*(?:会|就能|"
    r"可能))|要是(?=.*(?:呢|会))")
_GUESS_EN = re.compile(
    r"\b(?:maybe|perhaps|possibly|might|probably|i guess|i suppose|i think|we think|i believe|i assume|i hope|i feel like|seems?|"
    r"seemingly|not sure|unsure|considering|thinking (?:about|of)|some ?day|at some point|tempted to|"
    r"could be|should probably|not decided|haven't decided|undecided|on the fence|sort of wonder|supposedly|"
    r"apparently|rumou?rs?|who knows|leaning)\b", _I)
_GUESS_ZH = re.compile(
    r"也许|(?<!尽)可能(?!会?影响)|大概(?!\s?[\d一二三四五六七八九十])|说不定|没准|不确定|好像|似乎|我猜|估计|或许|兴许|哪天|有朝一日|"
    r"还没(?:有)?(?:决定|想好|定|"
    r"确定)|没想好|在考虑|考虑一下|考虑(?:要|把|用|换)|犹豫|据说|听说|应该会|恐怕|要不(?:我们|咱|就)|不如|再说吧|再看吧|再看看|再议|"
    r"拿不准(?!就|的|时)|纠结|未定|"
    r"待定")
_SAYS_EN = re.compile(
    r"(?<!as i )(?<!\bi )(?<!\bwe )(?<!\bi've )(?<!\bwe've )(?<!i already )(?<!\bi just )\b(?:said|says|saying|told (?:me|us|him|"
    r"her|them|everyone)|claims? (?:that|to)|claimed|wrote|writes that|argues?|argued|thinks|thought that|believes|insists?|insisted|"
    r"mentioned|"
    r"replied|"
    r"whispered|shouted|announced|stated|states that|explained|suggested|suggests|recommends?|recommended|"
    r"commented|tweeted|posted|warned|put it|according to|quoted|heard that|"
    r"read that|reads:|rumou?red|asked (?:me|us) to|asks (?:me|us) to|wants? (?:me|us|you) to|want us|asked us|"
    r"asked me|reportedly|allegedly)\b", _I)
_SAYS_ZH = re.compile(
    r"(?<!我)(?<!我们)(?<!听我)(?<!老实)(?<!实话)(?<!如实)(?<!顺便)(?<!简单)(?<!严格来)(?<!总的来)(?<!总体来)(?<!一般来)(?<!通常来)(?"
    r"<!据实)(?<!比如)(?<!对我来)(?<!来)(?<!再)(?<!小)(?<!话)(?<!照我)(?<!按我)(?<!如我)(?<!刚)(?<!以前)(?<!之前)(?<!刚才)(?<!上次)(?"
    r":说(?!好|定|错|个事|件事|一声|一下|实话|真的|起来|到底|白了|来也|明|法|英|中文|普通|粤|法语|日语|德语|四川|方言|话(?:要|别|"
    r"不要|请|直接|简)|双语|不定)|表示|认为|声称|宣称|写道|告诉(?:我|我们|过我)|提到(?!了?\d)|(?:写|印|刻|贴|登|标)着|(?:规范|标准|文档|"
    r"手册|说明书|法律|合同|协议|条款|论文|报道|新闻)(?:原文)?(?:里|中|上)?面?(?:规定|要求|写|说|讲|提)|强调|指出|据[^，,]{1,8}(?:讲|称|"
    r"说|报道)|嘱咐|"
    r"吩咐|"
    r"(?<!我)(?<!我们)(?:希望|要求|(?<!别)(?<!不要)(?<!不)(?<!代码)(?<!你)让(?!我自己|我来)|(?<!不)要|"
    r"(?<!不要)(?<!别)(?<!以后)(?<!可以)(?<!就)(?<!请)(?<!老)(?<!也)(?<!总)叫|请)(?:我|我们|大家)(?!记|的|每|用)|(?<!没)讲过|回复说|留言|"
    r"转述|原话|原文(?:是|写|为|里))|"
    r"[^，,。我]{1,8}(?:要|希望|让|叫|请)(?:我|我们|大家)(?:记住|记得|以后)")
_HE_EN = re.compile(
    r"^(?:and |but |so |then |well,? )*(?:he|she|they|his|her|their)\b|^(?:and |but |so |then |well,? )*(?:you|your) (?!(?:can|may|"
    r"should|must|don't|do not|never|need)\b)", _I)
_HE_ZH = re.compile(r"^(?:而且|但|但是|然后|所以)?[，,]?(?:他|她|他们|她们|人家|对方|别人|有人|网友)")
_EXAMPLE_EN = re.compile(
    r"\b(?:for example|for instance|e\.g\.|such as|like this:|sample (?:sentence|profile|text|data|message|input|entry|config)|(?:an|"
    r"this|another|as an|typical) example (?:of|sentence|entry|would)|\bexamples?(?=\s*[:,]| of\b)|dummy|placeholder|lorem|"
    r"test (?:sentence|message|phrase|string|prompt)\b|test (?:input|data|case)s?\s*:|fictional|made-up|imaginary|users? (?:might|may|"
    r"could|would)|"
    r"somebody (?:might|may|could)|some(?:one|body) who|people (?:who|often|usually)|a person who|in (?:french|"
    r"german|spanish|italian|chinese|english|latin|japanese)\s*[:?]|^(?:please |now |can you |could you )*translat(?:e|ing)\b|"
    r"\btranslat\w+ (?:this|these|it|the following|into)\b|(?:the|this|that|a) (?:word|phrase|"
    r"sentence|comment|sign|slogan|line|title|quote|article|docs?|documentation|readme|prompt|book|manual|poster|motto|song|lyrics?|"
    r"clause|saying)"
    r"(?= (?:says?|said|reads?|states?|stated|claims?|tells|goes|like|correct|means?|\u25a2)|\s*[:\"“\u25a2])|"
    r"(?:looks?|look something|reads?|goes|be|phrased|written|sentences?|something|rules?|entry|entries) like(?: this| that|\s*:|"
    r"\s*[\"“\u25a2])|"
    r"(?:could|might|would) (?:say|read|be|look like)\s*[:\"“\u25a2]|would be a (?:preference|rule|fact|decision)|is the kind of (?:rule|"
    r"sentence|thing)|correct english|grammatical(?:ly)?)"
    r"(?:\b|(?<=[:\"“\u25a2]))", _I)
_EXAMPLE_ZH = re.compile(
    r"例如|比如|譬如|举例(?:来)?说|举例[：:]|举个例|示例|例句|样例|样本(?:数据|句|文)|范例|测试(?:句|用例|数据(?=[：:])|消息|输入|文本)|"
    r"占位|虚构|编造|假想|用户(?:可能|会|"
    r"也许)|有人(?:可能|会)|翻译(?:成|一下|下面|这)|译成|怎么说|造句|这句话?|那句|文章里(?=说|写|讲|提|的|有)|书里|文中|电影里|标语|牌子|"
    r"口号|注释里|"
    r"歌里|剧里|台词|打个比方|长这样|可以这[么样]写|可以写(?:成|[：:])|我说的[^，,]{1,6}(?:就是|是指|指的是)|是指[“「▢]|类似这样|"
    r"像这样(?=[：:，,]|$)|这种(?:句子|说法|话)?就(?:叫|算|是)|这类(?:句子|规则|话)|就算一条|(?:句子|这句|这话|这样说)通顺|什么意思吗|"
    r"是[^，,]{1,20}的意思吗")
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
    r"报错|出错|错误|失败|崩溃|崩了|挂了|挂掉|\bbug\b|超时|卡住|卡在|卡死|结果(?:都|总|还)|都不一样|没反应|都不行|都会报|没动静|坏了$|"
    r"不工作|没反应|打不开|异常|死机|连不上|跑不通|编译不过|"
    r"装不上|起不来|找不到|进不去|登不上|不生效|乱码|有问题|出问题|没用|不管用|404|500错", _I)
_SARCASM_EN = re.compile(
    r"^(?:oh,? )?(?:great|wonderful|fantastic|lovely|perfect|brilliant|super|marvellous),? .*\b(?:froze|crash\w*|broke\w*|fail\w*|again|"
    r"died|stuck|jam\w*|flood\w*|lost|dead)\b|^(?:oh )?(?:yes|sure|great),? (?:please )?(?:do )?(?:always |never |just )*(?:lose|break|"
    r"delete|ruin|destroy|crash|ignore) my\b|please always (?:lose|break|ruin|destroy|crash|ignore)\b|/s\b|\b(?:yeah,? right|"
    r"oh,? (?:great|sure|joy|wonderful|fantastic|perfect|lovely)|sure,? because|as if|thanks a lot|what could (?:possibly )?go wrong|"
    r"great idea\W*$|brilliant idea\W*$|^sure,? let's (?:never|always)|because obviously|"
    r"thanks for nothing|how lovely|just what i needed|couldn't be happier|lucky me|what a joy|nothing beats (?!.* for me)|"
    r"who doesn't (?:love|like|enjoy)|wow,? i|great,? i (?:just )?(?:love|always|enjoy)|can't wait to (?:debug|"
    r"fix|wait|spend))\b|\b(?:just|absolutely|really|so|simply|totally|always|do) (?:love|enjoy|adore|"
    r"like)(?: it)?(?: \w+){0,3}? (?:when|being|how|having to|losing|waiting|debugging|reading \d+|"
    r"spending)\b.{0,60}"
    r"(?:break|crash|fail|ignor|los|wait|midnight|bug|error|wast|delet|burn|down|stuck|noth|again|lines|hours|"
    r"merge conflict|monday|deadline|weekend|outage|slow)", _I)
_SARCASM_ZH = re.compile(
    r"^(?:真好|太好了|真棒|好极了|太棒了|完美|可真行)[，,].*(?:又|死|崩|坏|挂|丢|卡|堵|漏|错|塌|淹|进水)|反正我(?:也|又)不(?:用|想|会)|"
    r"(?:请务必|请)?(?:每次|总|一直)都?把我的?[^，,。]{1,8}(?:弄丢|弄坏|删|搞坏|搞丢|毁)|呵呵|谢谢啊|谢谢您嘞|真棒[，,]|真是(?:太)?(?:好|"
    r"棒|贴心|谢谢)|太好了[，,。!！]|好极了[，,]|可真(?:行|会|棒|好)|^是啊[，,]|"
    r"^对啊[，,]我就|我就(?:爱|喜欢|好)(?=.*(?:白|挂|崩|错|加班|行的|无视|卡|等|丢|删|半夜|通宵|重写|bug|被))|最(?:爱|"
    r"喜欢).{0,12}(?:被|挂|崩|白干|报错|宕机|丢|无视|加班|通宵|卡死|返工|背锅)|求之不得呢|开心死了|乐死我了|[嘛呢]?🙄|🙃|还真是|"
    r"能出(?:啥|什么)(?:事|岔子)|可太(?:爱|喜欢)|真是个?好主意")
_PRAISE_EN = re.compile(
    r"\b(?:like|love|prefer|hate|dislike|enjoy(?:ed)?|adore|loved|don't like|want|use|choose|pick|take|chose|went with|go with|"
    r"going with|picked|agreed (?:with|to)) (?:it(?! when)|that|this|these|those|them|your|option|version|answer|variant|number|"
    r"the (?:\w+ )?(?:one|option|version|answer|idea|suggestion|first|second|third|last|latter|former|way you|"
    r"second one|result|plan|approach|draft|wording|code|title))\b(?! (?:kind|style|sort|type) of)", _I)
_PRAISE_ZH = re.compile(
    r"(?:喜欢|爱|讨厌|选|要|就用|偏向|倾向于?|想要|同意|赞成|采用|改成|换成)(?:了|死)?(?:这(?!种|类|样)|那(?!种|类|样)|你的|你这|"
    r"你写|你给|它|第[一二三四五\d](?!人称)|上面|前者|后者|方案|[Aa-dD](?=方案|选项|$|[。，]))|喜欢[。!！~～]*$|喜欢你(?!.*(?:时|都|每))|"
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


_TELL_ME = re.compile(r"tell me (?:why|what|how)|问我|告诉我", _I)
_CLEFT = re.compile(r"^what (?!is|are|was|were|do|does|did|should|would|can|could|will|if|about)(?:[\w']+ ){1,7}(?:is|are) (?!.*\?)", _I)
_IN_CASE = re.compile(r"^(?:if|when|whenever)\b[^,]{3,60}, |^(?:有|如果|要是|遇到|碰到)[^，,]{2,20}[，,]", _I)


_POLITE = re.compile(r"^(?:please )?(?:can|could|would|will) you (?:please |maybe |just )?(?:always|never|stop|not|avoid|refrain|quit|"
    r"keep|skip|drop)\b|^(?:能不能|可不可以|能否|可否|麻烦)你?(?:以后|别|不要|少|每次|都|尽量)", _I)


def question(text: str) -> bool:
    if _POLITE.match(text):
        return False
    told = _CLEFT.match(text) or (_IN_CASE.match(text) and _TELL_ME.search(text))
    if told and _MARK.search(text) is None:
        return False
    return _MARK.search(text) is not None or _any(text, _QUESTION_EN, _QUESTION_ZH)


def supposed(text: str) -> bool:
    return _any(text, _CONDITION_EN, _CONDITION_ZH)


def guessed(text: str) -> bool:
    return _any(text, _GUESS_EN, _GUESS_ZH)


_ADVISED = re.compile(
    r"\b(?:doctor|gp|dentist|physio\w*|nutritionist|therapist|lawyer|tax adviser)\b.{0,20}\b(?:told|advised|warned|forbade|asked|"
    r"wants) me|(?:医生|大夫|牙医|律师|营养师)[^，,。]{0,6}(?:让我|叫我|要我|嘱咐我?|说我|不让我|禁止我|要求我)", _I)


def advised(text: str) -> bool:
    return _ADVISED.search(text) is not None


_REPORTS_EN = re.compile(
    r"\b(?!(?:i|we|you|to|and|please|then|not|don't|never|always|just|or|but|also|unless|otherwise|where|i've|we've|you've|let|me|"
    r"already|as|often|only|be|been|"
    r"being|get|got|getting|was|were|are|is|am)\b)[\w'.]+,? (?:\w+ly |has |have |had |just |always |once |also |used to )?"
    r"(?:said|says|say|told|tells|claims (?=that|to|he|she|it)|claimed|wrote|writes(?=\s*(?:that\b|[:,\"“\u25a2]))|argues|argued|thinks|"
    r"thought|believes|insists|insisted|mentioned|replied|answered|whispered|shouted|announced|stated|states|"
    r"explained|suggested|suggests|recommends|recommended|warned|warns|asked|asks|notes that|noted|swore|quoted|reads)\b|"
    r"\baccording to\b|\bput it\b|\b(?:heard|read) that\b|\breportedly\b|"
    r"\ballegedly\b|\brumou?r\w*|\bleft (?:me |us )?a note\b|\ba note (?:saying|that)\b|\b(?:docs|documentation|guidelines|manuals?|"
    r"experts|doctors|scientists|studies|researchers|critics|they|books|sources) (?:recommend|suggest|state|say|claim|advise|argue|think|"
    r"believe|show|warn|require)\b|\b(?:message|mail|e-?mail|page|pdf|site|website|letter|comment|footer)\b.{0,20}\b(?:ends?|starts?|"
    r"begins?|closes?|contains?|includes?)\b|\bwants? (?:me|us) to\b|\bused to say\b|\basked (?:me|us)\b", _I)
_REPORTS_ZH = re.compile(
    r"(?:^|[，,。；;：:\s])(?![我咱俺你先再后别不请直顺老说跟给对和同向按照据也就都还每一总话没把被])(?!有话|实话|有一?说|代码|注释|邮件|"
    r"回答|本人|对我|这么|那么|比如|一般|通常)[\u4e00-\u9fffA-Za-z]{1,10}?(?<!来)(?<!小)(?<!再)(?<!按我)(?<!的)"
    r"(?:说(?!明|到做|实话|不|法|定|好|起|来)|讲(?!究|解|义|清)|写(?:道|过|着)|表示(?!为|法)|认为|声称|告诉|提到(?!了?\d)|强调|指出|嘱咐|"
    r"吩咐|念叨|规定|要求)(?:过|道|着|了)?[^，,：:]{0,4}(?=[：:“「▢，,]|我|他|她|以后|要|不|别|必须|一定|先|只|自己|这|$)|"
    r"(?:据|听)[^，,]{1,8}(?:说|讲|称|报道)|原文(?:是|写)|原话|有人(?:跟我|和我|对我)?(?:说|讲|觉得|认为|建议)|我的?(?:论文|文章|书|"
    r"报告)(?:认为|主张|论证)|(?:条子|纸条|字条)|按照?[^，,]{1,8}规定|(?:上|里|中)面?(?:写明|注明|载明|标明)|(?:文档|手册|指南|专家|医生|"
    r"官方|网上|书|教程|规范)(?:里|上)?(?:建议|推荐|要求|说|讲|提)", _I)


def reported(text: str) -> bool:
    """Whether somebody else says it, by the build of a report: who, and a verb of saying."""
    return not advised(text) and (_any(text, _REPORTS_EN, _REPORTS_ZH) or _any(text, _HE_EN, _HE_ZH))


def others(text: str) -> bool:
    """Whether somebody else says it; what a doctor told the owner is the owner's."""
    if advised(text):
        return False
    return _any(text, _SAYS_EN, _SAYS_ZH) or _any(text, _HE_EN, _HE_ZH) or _any(text, _REPORTS_EN, _REPORTS_ZH)


_WORD_BANNED = re.compile(r"\b(?:don't|do not|never|avoid|stop|not|without|didn't) (?:ever )?(?:use|using|say|saying|write|"
    r"writing) (?:the )?(?:word|phrase)s?\b", _I)


def example(text: str) -> bool:
    text = _WORD_BANNED.sub("", text)
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
