#!/bin/sh
# Erlang's SFTP server: all files that are open over a connection have one handle there.
exec erl -noinput -eval '
    ok = ssh:start(),
    {ok, _} = ssh:daemon({127, 0, 0, 1}, @PORT@, [
        {system_dir, "@DIR@/host"}, {user_passwords, [{"@USER@", "@PASSWORD@"}]}, {auth_methods, "password"},
        {parallel_login, true},
        {subsystems, [ssh_sftpd:subsystem_spec([{root, "@DIR@/www"}, {cwd, "/"}])]}]),
    receive stop -> ok end.'
