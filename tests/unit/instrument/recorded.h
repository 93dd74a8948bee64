// Records of a session, by context: as its data has them.
#pragma once

#include <map>
#include <set>
#include <string>

#include "instrument/session.h"

namespace qd::instrument::testing {

using Arcs = std::map<std::string, std::set<report::Arc>>;  // by file

/// Arcs that finished launches took, by context.
inline std::map<std::string, Arcs> hits(const report::CoverageData& data) {
  std::map<std::string, Arcs> result;
  for (const auto& [path, file] : data.files) {
    for (const auto& [context, arcs] : file.arcs)
      result[data.contexts.at(context)][path].insert(arcs.begin(), arcs.end());
  }
  return result;
}

inline std::map<std::string, Arcs> hits(Session& session) { return hits(session.data()); }

/// The evaluations of the decision at a place, by context.
inline std::map<std::string, std::set<report::Evaluation>> evaluations(const report::CoverageData& data,
                                                                       const std::string& file,
                                                                       const SourceRange& range) {
  std::map<std::string, std::set<report::Evaluation>> result;
  for (const auto& [context, seen] : data.files.at(file).decisions.at(range).evaluations)
    result[data.contexts.at(context)] = seen;
  return result;
}

/// Saves to nowhere: the journal's file is gone, as when a data file was written.
inline void save_nowhere(Session& session) {
  session.save({}, [](const report::CoverageData&) {});
}

}  // namespace qd::instrument::testing
