// Search for our own settings, which may be in other files than coverage.py's.
#pragma once

#include <string>
#include <vector>

#include "report/config/config.h"

namespace qd::report {

/// A file that may have settings.
struct ConfigCandidate {
  std::string path;
  bool our_file;   // for coverage only: its sections need no prefix
  bool specified;  // named by the user: it must exist
};

/// Reads our settings into `config`. `files`: those that coverage.py would try; none: nothing is read. Where the first
/// is specified and has some, it is the only one. Otherwise each folder from the top of the repository (the nearest
/// folder upwards with a .git) down to the current one counts, with one file. Throws ConfigError: also for a second
/// file of a folder with settings of ours, for sections that were meant to be ours, and for a file that is not one of
/// its kind and may have some.
void read_own_settings(Config& config, const std::vector<ConfigCandidate>& files, const ReadText& read);

/// Reads our settings of one file, which replace those already read. None when there is no such file. Throws
/// ConfigError.
void read_own_settings_of(Config& config, const std::string& path, const ReadText& read);

/// Throws ConfigError for a file of these folders that can't be opened, and for one with a name like that of our own
/// file, which is not read.
void refuse_unread_files();

}  // namespace qd::report
