// A small report of each format, as text.
#pragma once

namespace qd::testing {

inline constexpr char kLcov[] = R"text(TN:some test
SF:/src/a.cpp
FN:3,9,f
FN:12,g<int, long>
FNDA:4,f
FNDA:0,g<int, long>
FNF:2
FNH:1
BRDA:4,0,0,4
BRDA:4,0,1,0
BRDA:5,e1,jump to line 7, or not,-
DA:3,4,0a1b2c
DA:4,4
DA:5,0
DA:12,1e+03
LF:4
LH:3
end_of_record
)text";

inline constexpr char kCobertura[] = R"text(<?xml version="1.0" ?>
<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">
<coverage line-rate="0.5" branch-rate="0.5" version="1" timestamp="1">
 <sources><source> /src </source></sources>
 <packages><package name=""><classes>
  <class name="a" filename="sub/a.cpp">
   <methods><method name="f" signature="(int)"><lines><line number="3" hits="4"/><line number="9" hits="1"/></lines></method></methods>
   <lines>
    <line number="3" hits="4"/>
    <line number="4" hits="4" branch="true" condition-coverage="50% (1/2)"><conditions><condition number="0" type="jump" coverage="50%"/></conditions></line>
    <line number="5" hits="0" branch="true" condition-coverage="0% (0/3)"/>
   </lines>
  </class>
 </classes></package></packages>
</coverage>
)text";

inline constexpr char kGcov[] = R"text({"gcc_version": "12.2.0", "files": [{"lines": [
  {"branches": [], "count": 2, "line_number": 3, "unexecuted_block": false, "function_name": "_Z1fIiEvT_"},
  {"branches": [{"fallthrough": true, "count": 2, "throw": false}, {"fallthrough": false, "count": 0, "throw": true}], "count": 2, "line_number": 4, "function_name": "_Z1fIiEvT_"},
  {"branches": [], "count": 0, "line_number": 3, "unexecuted_block": true, "function_name": "_Z1fIlEvT_"},
  {"branches": [{"fallthrough": true, "count": 0, "throw": false}, {"fallthrough": false, "count": 0, "throw": true}], "count": 0, "line_number": 4, "function_name": "_Z1fIlEvT_"},
  {"branches": [], "count": 7, "line_number": 0}],
 "functions": [
  {"blocks": 4, "end_column": 1, "start_line": 3, "name": "_Z1fIiEvT_", "blocks_executed": 4, "execution_count": 2, "demangled_name": "void f<int>(int)", "start_column": 6, "end_line": 5},
  {"blocks": 4, "end_column": 1, "start_line": 3, "name": "_Z1fIlEvT_", "blocks_executed": 0, "execution_count": 0, "demangled_name": "void f<long>(long)", "start_column": 6, "end_line": 5}],
 "file": "sub/a.cpp"}], "format_version": "1", "current_working_directory": "/src", "data_file": "a.gcda"}
)text";

inline constexpr char kLlvm[] = R"text({"data":[{"files":[{"branches":[[4,7,4,12,2,0,0,0,4],[6,10,6,14,0,0,0,0,4]],
 "expansions":[{"branches":[[1,18,1,23,0,2,1,0,4]],"filenames":["/src/a.cpp","/src/a.cpp"],"source_region":[5,3,5,8,2,0,1,1],"target_regions":[]}],
 "filename":"/src/a.cpp","mcdc_records":[],
 "segments":[[3,12,2,true,true,false],[7,4,0,false,false,false],[9,1,0,true,true,false],[9,9,0,false,false,false],[10,1,0,false,true,false],[11,1,0,false,false,false]],
 "summary":{}}],
 "functions":[{"branches":[],"count":2,"filenames":["/src/a.cpp","/src/a.cpp"],"mcdc_records":[],"name":"a.cpp:_ZL1fi","regions":[[3,12,7,4,2,0,0,0]]}],"totals":{}}],
 "type":"llvm.coverage.json.export","version":"2.0.1"}
)text";

// OpenClover's XML.
inline constexpr char kClover[] = R"text(<?xml version="1.0" encoding="UTF-8"?>
<coverage generated="1" clover="4.4.1">
 <project timestamp="1" name="p"><metrics files="1"/>
  <package name="p"><metrics files="1"/>
   <file name="A.java" path="/src/p/A.java"><metrics classes="1"/>
    <class name="A"><metrics methods="1"/></class>
    <line num="3" type="method" complexity="2" visibility="public" signature="f(int) : void" count="2"/>
    <line num="4" type="stmt" count="2"/>
    <line num="4" type="stmt" count="0"/>
    <line num="5" type="cond" truecount="2" falsecount="0"/>
    <line num="5" type="cond" truecount="0" falsecount="0"/>
   </file>
  </package>
 </project>
</coverage>
)text";

// Istanbul's XML.
inline constexpr char kIstanbul[] = R"text(<?xml version="1.0" encoding="UTF-8"?>
<coverage generated="1" clover="3.2.0">
 <project timestamp="1" name="All files">
  <metrics statements="3"/>
  <file name="a.js" path="/src/a.js">
   <line num="1" count="1" type="stmt"/>
   <line num="2" count="3" type="cond" truecount="1" falsecount="3"/>
   <line num="7" count="0" type="stmt"/>
  </file>
 </project>
</coverage>
)text";

// PHPUnit's XML, which names no version of Clover.
inline constexpr char kPhpUnit[] = R"text(<?xml version="1.0" encoding="UTF-8"?>
<coverage generated="1">
  <project timestamp="1">
    <file name="/src/A.php">
      <class name="A" namespace="global"><metrics complexity="1"/></class>
      <line num="5" type="method" name="f" visibility="public" complexity="1" crap="1" count="1"/>
      <line num="7" type="stmt" count="1"/>
      <line num="9" type="stmt" count="0"/>
      <metrics loc="12"/>
    </file>
    <metrics files="1"/>
  </project>
</coverage>
)text";

inline constexpr char kJacoco[] = R"text(<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<!DOCTYPE report PUBLIC "-//JACOCO//DTD Report 1.1//EN" "report.dtd">
<report name="x"><sessioninfo id="i" start="1" dump="2"/>
 <package name="com/example">
  <class name="com/example/A$B" sourcefilename="A.java">
   <method name="f" desc="(I)V" line="3"><counter type="LINE" missed="1" covered="2"/><counter type="METHOD" missed="0" covered="1"/></method>
   <method name="g" desc="()V" line="9"><counter type="METHOD" missed="1" covered="0"/></method>
   <counter type="CLASS" missed="0" covered="1"/>
  </class>
  <sourcefile name="A.java">
   <line nr="3" mi="0" ci="4" mb="1" cb="1"/>
   <line nr="4" mi="2" ci="3" mb="0" cb="0"/>
   <line nr="9" mi="1" ci="0" mb="2" cb="0"/>
   <counter type="LINE" missed="1" covered="2"/>
  </sourcefile>
 </package>
 <counter type="LINE" missed="1" covered="2"/>
</report>
)text";

}  // namespace qd::testing
