// Input options. The command line has priority over the configuration.
#include "cli/options/input_options.h"

namespace qd::cli {

void add_src_roots_option(CommandLine& line) {
  line.add("src-roots",
           "Base folders of names in reports of other tools: of Java's packages, and of relative paths from a build in "
           "a folder below. Without it those of Maven and Gradle are tried for packages (src/main/java, src/test/java, "
           "src/main/kotlin and so on), and the current folder for paths.",
           kMany, "DIRECTORY...");
}

void add_input_options(CommandLine& line) {
  add_src_roots_option(line);
  line.add("exclude-throw-branches",
           "In reports of gcov and lcov, leave out the branches that compilers add for exceptions, as gcovr and lcov "
           "can.");
}

void apply_input_options(const CommandLine& line, report::Config& config) {
  if (line.flag("src-roots")) config.src_roots = line.values("src-roots");
  if (line.flag("exclude-throw-branches")) config.exclusions.throw_branches = true;
}

}  // namespace qd::cli
