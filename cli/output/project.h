// Project of the current folder, as pages name it.
#pragma once

#include <string>

namespace qd::cli {

struct Project {
  std::string name;    // [project] name of pyproject.toml, else the folder's; empty when there is none
  std::string commit;  // full id; empty outside of git
  std::string branch;  // empty when no branch is checked out
};

Project project_here();

}  // namespace qd::cli
