// Fork handlers (pthread_atfork) of coverage sessions.
#pragma once

#include <mutex>
#include <set>

namespace qd::instrument {

class Session;

/// Holds the locks of all sessions over a fork; the child's sessions begin anew.
class ForkHandlers {
 public:
  static ForkHandlers& instance();
  void add(Session* session);
  void remove(Session* session);

 private:
  ForkHandlers();
  static void before();
  static void in_parent();
  static void in_child();
  static void lock(Session& session);
  static void unlock(Session& session);

  std::mutex mutex_;
  std::set<Session*> sessions_;
};

}  // namespace qd::instrument
