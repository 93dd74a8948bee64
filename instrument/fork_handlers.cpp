// Locks all sessions before a fork: the child would inherit a lock that another thread holds, locked for ever.
#include "instrument/fork_handlers.h"

#include <pthread.h>

#include "instrument/observed_variant.h"

namespace qd::instrument {

// Never destroyed: a process may fork while it ends.
ForkHandlers& ForkHandlers::instance() {
  static auto* handlers = new ForkHandlers();
  return *handlers;
}

namespace {

// Registered when the program is loaded, before handlers of first use, and so locked behind them: those wait for
// background jobs, which need a session.
[[maybe_unused]] const ForkHandlers& registered = ForkHandlers::instance();

}  // namespace

ForkHandlers::ForkHandlers() { pthread_atfork(before, in_parent, in_child); }

void ForkHandlers::add(Session* session) {
  std::lock_guard lock(mutex_);
  sessions_.insert(session);
}

void ForkHandlers::remove(Session* session) {
  std::lock_guard lock(mutex_);
  sessions_.erase(session);
}

void ForkHandlers::lock(Session& session) {
  session.mutex_.lock();
  for (Session::ObservedVariant* variant : session.variants_) variant->mutex_.lock();
}

void ForkHandlers::unlock(Session& session) {
  for (Session::ObservedVariant* variant : session.variants_) variant->mutex_.unlock();
  session.mutex_.unlock();
}

void ForkHandlers::before() {
  instance().mutex_.lock();
  for (Session* session : instance().sessions_) lock(*session);
}

void ForkHandlers::in_parent() {
  for (Session* session : instance().sessions_) unlock(*session);
  instance().mutex_.unlock();
}

void ForkHandlers::in_child() {
  for (Session* session : instance().sessions_) {
    unlock(*session);
    session->journal_->leave_to_parent();
    for (const std::shared_ptr<Journal>& journal : session->older_journals_) journal->leave_to_parent();
    for (Session::ObservedVariant* variant : session->variants_) variant->take_launches();  // the parent's
    session->launches_.clear();
    session->forget();
  }
  instance().mutex_.unlock();
}

}  // namespace qd::instrument
