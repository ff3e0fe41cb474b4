"""The platform's public Python SDK against the embedded platform, called as its own integration suite calls it.

That suite does not ship with the package, so the same classes are driven here. Where the platform is stands in the
environment: SDK_SCHEME, SDK_PORT, SDK_PASSWORD.
"""

import json
import os
import time
import unittest
import warnings

from splunklib import binding, client, results
from splunklib.binding import HTTPError

PORT = int(os.environ["SDK_PORT"])
PASSWORD = os.environ["SDK_PASSWORD"]
WHERE = {"scheme": os.environ.get("SDK_SCHEME", "https"), "host": "127.0.0.1", "port": PORT}


def connect(**more):
    return client.connect(**{**WHERE, "username": "admin", "password": PASSWORD, **more})


class Case(unittest.TestCase):
    def setUp(self):
        self.service = connect()

    def remove_users(self):
        for user in self.service.users:
            if user.name.startswith("delete-me"):
                user.delete()


class Login(unittest.TestCase):
    def test_password(self):
        service = connect()
        self.assertTrue(service.token.startswith("Splunk "))
        self.assertEqual(service.get("authentication/current-context").status, 200)

    def test_autologin(self):
        service = connect(autologin=True)
        service.logout()
        self.assertEqual(service.get("authentication/users").status, 200)

    def test_session_key_as_bearer(self):
        key = connect().token.split(" ")[1]
        service = client.connect(**WHERE, splunkToken=key)
        self.assertEqual(service.get("authentication/users").status, 200)

    def test_basic(self):
        service = client.connect(**WHERE, username="admin", password=PASSWORD, basic=True)
        self.assertEqual(service.get("authentication/users").status, 200)

    def test_jwt(self):
        body = connect().post("authorization/tokens", name="admin", audience="tests", output_mode="json").body.read()
        token = json.loads(body)["entry"][0]["content"]["token"]
        service = client.connect(**WHERE, splunkToken=token)
        self.assertEqual(service.get("authentication/users").status, 200)


class Cookies(unittest.TestCase):
    def cookie(self, service):
        return binding._make_cookie_header(service.get_cookies().items())

    def test_login_sets_one(self):
        service = connect()
        self.assertEqual([f"splunkd_{PORT}"], list(service.get_cookies()))

    def test_cookie_alone_authenticates(self):
        other = client.Service(**WHERE, cookie=self.cookie(connect()))
        other.login()
        self.assertEqual(other.get("authentication/users").status, 200)
        self.assertTrue(other.has_cookies())


class Server(Case):
    def test_info(self):
        info = self.service.info
        for key in ("build", "cpu_arch", "guid", "isFree", "isTrial", "licenseKeys", "licenseSignature",
                    "licenseState", "master_guid", "mode", "os_build", "os_name", "os_version", "serverName", "version"):
            self.assertIn(key, info)
        self.assertEqual(info.licenseState, "OK")
        self.assertEqual(info.kvStoreStatus, "ready")
        self.assertGreaterEqual(self.service.splunk_version, (10, 4))
        self.assertEqual(self.service.kvstore_owner, "nobody")

    def test_capabilities(self):
        capabilities = self.service.capabilities
        self.assertIn("admin_all_objects", capabilities)
        self.assertIn("run_fixture", capabilities)

    def test_apps_list(self):
        names = [app.name for app in self.service.apps]
        self.assertIn("search", names)
        self.assertIn("fixture", names)


class Users(Case):
    def setUp(self):
        super().setUp()
        self.remove_users()

    def tearDown(self):
        self.remove_users()

    def create(self):
        return self.service.users.create(username="delete-me", password="password-1", roles=["power", "user"])

    def test_read(self):
        for user in self.service.users:
            for role in user.role_entities:
                self.assertIn(role.name, self.service.roles)
                self.assertEqual(role.path, f"authorization/roles/{role.name}")

    def test_create(self):
        user = self.create()
        self.assertIn("delete-me", self.service.users)
        self.assertEqual(set(user.roles), {"power", "user"})
        self.assertEqual(user["type"], "Splunk")

    def test_delete(self):
        self.create()
        self.service.users.delete("delete-me")
        self.assertNotIn("delete-me", self.service.users)
        with self.assertRaises(KeyError):
            self.service.users["delete-me"]


class Roles(Case):
    def setUp(self):
        super().setUp()
        self.name = "delete-me-role"
        self.role = self.service.roles.create(self.name)

    def tearDown(self):
        if self.name in self.service.roles:
            self.service.roles.delete(self.name)

    def test_read(self):
        for role in self.service.roles:
            self.assertIsInstance(role.content.capabilities or [], list)

    def test_grant_and_revoke(self):
        self.role.grant("edit_user", "change_own_password").refresh()
        self.assertIn("edit_user", self.role.capabilities)
        self.role.revoke("edit_user").refresh()
        self.assertNotIn("edit_user", self.role.capabilities)
        self.assertIn("change_own_password", self.role.capabilities)

    def test_update_quota_and_imports(self):
        self.role.update(srchJobsQuota=73, imported_roles=["user"]).refresh()
        self.assertEqual(int(self.role["srchJobsQuota"]), 73)
        self.assertEqual(self.role["imported_roles"], ["user"])
        self.assertIn("search", self.role["imported_capabilities"])


class Confs(unittest.TestCase):
    def setUp(self):
        self.service = connect(owner="nobody", app="fixture")

    def test_read(self):
        confs = self.service.confs
        self.assertIn("fixture", confs)
        self.assertNotIn("no-such-conf", confs)
        stanza = confs["fixture"]["shipped"]
        self.assertEqual(stanza["place"], "default")
        self.assertEqual(stanza["common"], "yes")
        with self.assertRaises(KeyError):
            confs["no-such-conf"]

    def test_life_of_a_stanza(self):
        conf = self.service.confs["fixture"]
        stanza = conf.create("delete-me stanza/of [all] sorts".replace("[all] ", ""))
        self.assertEqual(len(stanza), 1)
        stanza.submit({"key": "väl:ue=#1", "other": "2"})
        stanza.refresh()
        self.assertEqual(stanza["key"], "väl:ue=#1")
        self.assertEqual(len(stanza), 3)
        with self.assertRaises(HTTPError) as caught:
            conf.create(stanza.name)
        self.assertEqual(caught.exception.status, 409)
        conf.delete(stanza.name)
        self.assertNotIn(stanza.name, conf)

    def test_change_of_a_shipped_stanza(self):
        stanza = self.service.confs["fixture"]["shipped"]
        stanza.submit({"size": "2"})
        stanza.refresh()
        self.assertEqual((stanza["size"], stanza["place"]), ("2", "default"))

    def test_paging(self):
        conf = self.service.confs["fixture"]
        for number in range(35):
            conf.create(f"delete_me_{number:02}")
        self.assertGreaterEqual(len(conf.list()), 30)
        self.assertEqual(len(conf.list(count=5)), 5)
        self.assertEqual([one.name for one in conf.list(search="name=delete_me_07")], ["delete_me_07"])
        found = [one.name for one in conf.list(count=100, search="delete_me_", sort_dir="desc")]
        self.assertEqual(found[:2], ["delete_me_34", "delete_me_33"])
        self.assertEqual(len(list(conf.iter(pagesize=10, search="delete_me_"))), 35)
        for name in found:
            conf.delete(name)


class Kvstore(unittest.TestCase):
    def setUp(self):
        self.service = connect(owner="nobody", app="search")
        if "delete_me" in self.service.kvstore:
            self.service.kvstore.delete("delete_me")
        self.service.kvstore.create("delete_me", fields={"n": "number"}, accelerated_fields={"by_n": {"n": 1}})
        self.data = self.service.kvstore["delete_me"].data

    def tearDown(self):
        self.service.kvstore.delete("delete_me")

    def test_collection(self):
        content = self.service.kvstore["delete_me"].content
        self.assertEqual(content["field.n"], "number")
        self.assertEqual(content["accelerated_fields.by_n"], {"n": 1})
        self.service.kvstore["delete_me"].update_field("b", "bool")
        self.assertEqual(self.service.kvstore["delete_me"].content["field.b"], "bool")

    def test_insert_query_update_delete(self):
        key = self.data.insert(json.dumps({"n": 1, "text": "ü"}))["_key"]
        self.assertEqual(self.data.query_by_id(key)["text"], "ü")
        self.data.update(key, json.dumps({"n": 2}))
        self.assertEqual(self.data.query_by_id(key), {"n": 2, "_user": "nobody", "_key": key})
        self.data.delete_by_id(key)
        with self.assertRaises(HTTPError) as caught:
            self.data.query_by_id(key)
        self.assertEqual(caught.exception.status, 404)

    def test_batch_and_query(self):
        keys = self.data.batch_save(*[{"_key": f"k{number}", "n": number} for number in range(10)])
        self.assertEqual(keys, [f"k{number}" for number in range(10)])
        found = self.data.query(query=json.dumps({"n": {"$gte": 7}}), sort="n:-1", fields="n")
        self.assertEqual([one["n"] for one in found], [9, 8, 7])
        self.assertEqual(len(self.data.query(limit=3, skip=9)), 1)
        lists = self.data.batch_find({"query": {"n": 1}}, {"query": {"n": {"$lt": 2}}})
        self.assertEqual([len(one) for one in lists], [1, 2])
        self.data.delete(json.dumps({"n": {"$lt": 5}}))
        self.assertEqual(len(self.data.query()), 5)


class StoragePasswords(Case):
    def setUp(self):
        self.service = connect(owner="nobody", app="search")
        self.passwords = self.service.storage_passwords
        for one in self.passwords.list(count=0):
            if one.username.startswith("delete-me"):
                one.delete()

    tearDown = setUp

    def test_create_update_delete(self):
        password = self.passwords.create("changeit", "delete-me", "realm")
        self.assertEqual(password.name, "realm:delete-me:")
        self.assertEqual((password.realm, password.username), ("realm", "delete-me"))
        self.assertNotIn("clear_password", password.content)
        self.assertEqual(password.refresh().clear_password, "changeit")
        password.update(password="splunkeroo!").refresh()
        self.assertEqual(password.clear_password, "splunkeroo!")
        self.assertIn("realm:delete-me", self.passwords)
        self.passwords.delete("delete-me", "realm")
        self.assertNotIn("realm:delete-me", self.passwords)

    def test_colons_and_slashes(self):
        password = self.passwords.create("changeit", "delete-me:user/x", ":start/realm")
        self.assertEqual(password.realm, ":start/realm")
        self.assertEqual(password.username, "delete-me:user/x")
        self.assertEqual(password.name, r"\:start/realm:delete-me\:user/x:")
        password.delete()
        self.assertNotIn(password.name, [one.name for one in self.passwords])


class SearchJobs(Case):
    def done(self, job):
        while not job.is_done():
            time.sleep(0.05)
        return job

    def rows(self, stream):
        return [one for one in results.JSONResultsReader(stream) if isinstance(one, dict)]

    def test_life_of_a_job(self):
        job = self.done(self.service.jobs.create("| makeresults count=3 | table _time", timeout=300))
        self.assertEqual(job["resultCount"], "3")
        self.assertEqual((job["isFailed"], job["dispatchState"], job["ttl"]), ("0", "DONE", "300"))
        self.assertEqual(job.state.title, "| makeresults count=3 | table _time")
        self.assertEqual(job.access.owner, "admin")
        self.assertIn(job.sid, [one.sid for one in self.service.jobs])
        self.assertIn(job.sid, [one.sid for one in self.service.jobs.list(count=0)])
        self.assertEqual(self.service.job(job.sid).sid, job.sid)
        job.set_ttl(120)
        job.set_priority(3)
        job.touch()
        job.refresh()
        self.assertEqual((job["ttl"], job["priority"]), ("120", "3"))
        job.cancel()
        job.cancel()
        self.assertNotIn(job.sid, [one.sid for one in self.service.jobs.list(count=0)])

    def test_results_of_each_kind(self):
        job = self.done(self.service.jobs.create("| makeresults count=2"))
        for stream in (job.results, job.preview, job.events):
            self.assertEqual(len(self.rows(stream(output_mode="json"))), 2)
        self.assertEqual(len(self.rows(job.results(output_mode="json", count=1, offset=1))), 1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            reader = results.ResultsReader(job.results())
            found = list(reader)
        self.assertEqual((len(found), reader.is_preview), (2, False))
        self.assertEqual(list(found[0]), ["_time"])
        self.assertIn(b"dispatchState=DONE", job.searchlog().read())
        self.assertTrue(job.summary().read() and job.timeline().read())

    def test_oneshot_and_export(self):
        for run in (self.service.jobs.oneshot, self.service.jobs.export):
            self.assertEqual(len(self.rows(run("| makeresults count=50", output_mode="json"))), 50)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.assertEqual(len(list(results.ResultsReader(self.service.jobs.oneshot("| makeresults count=2")))), 2)
            self.assertEqual(len(list(results.ResultsReader(self.service.jobs.export("| makeresults count=2")))), 2)
        self.assertEqual(len(self.rows(self.service.jobs.oneshot("search index=_internal | head 2", output_mode="json"))), 2)

    def test_errors(self):
        for query in ("| no_such_command", "abcd", "| makeresults [no_such_command]"):
            with self.assertRaises(HTTPError) as caught:
                self.service.jobs.create(query)
            self.assertEqual(caught.exception.status, 400)
        with self.assertRaises(HTTPError) as caught:
            self.service.jobs.create("| no_such_command")
        self.assertIn("Unknown search command 'no_such_command'.", str(caught.exception))
        with self.assertRaises(HTTPError) as caught:
            client.Job(self.service, "no-such-sid").refresh()
        self.assertEqual(caught.exception.status, 404)
        failed = self.done(self.service.jobs.create("| makeresults | head bogus"))
        self.assertEqual(failed["isFailed"], "1")

    def test_parse(self):
        self.assertEqual(self.service.parse("search x | head 1").status, 200)
        with self.assertRaises(HTTPError):
            self.service.parse("xyzzy")


class SearchCommand(SearchJobs):
    """A command of the fixture app, written with the SDK's own classes."""

    def setUp(self):
        self.service = connect(owner="admin", app="fixture")

    def test_rows(self):
        query = '| sdkgenerate count=3 text="ünï | \\"quoted\\""'
        found = self.rows(self.service.jobs.oneshot(query, output_mode="json"))
        self.assertEqual([one["n"] for one in found], ["0", "1", "2"])
        self.assertEqual(found[0]["text"], 'ünï | "quoted"')
        self.assertEqual(found[0]["list"], ["a$b", "c;d"])
        self.assertEqual(json.loads(found[0]["nested"]), {"x": [1, "ß"]})
        self.assertEqual((found[0]["user"], found[0]["app"]), ("admin", "fixture"))

    def test_its_service_is_that_of_the_caller(self):
        self.service.users.create(username="delete-me", password="password-1", roles=["user"])
        try:
            other = connect(username="delete-me", password="password-1", owner="delete-me", app="fixture")
            found = self.rows(other.jobs.oneshot("| sdkgenerate count=1", output_mode="json"))
            self.assertEqual((found[0]["user"], found[0]["called_as"]), ("delete-me", "delete-me"))
        finally:
            self.service.users.delete("delete-me")

    def test_messages(self):
        job = self.done(self.service.jobs.create("| sdkgenerate count=1 note=hello"))
        found = list(results.JSONResultsReader(job.results(output_mode="json")))
        self.assertEqual([(one.type, one.message) for one in found if isinstance(one, results.Message)], [("WARN", "hello")])
        self.assertEqual(job["dispatchState"], "DONE")

    def test_many_rows(self):
        job = self.done(self.service.jobs.create("| sdkgenerate count=60000"))
        self.assertEqual(job["resultCount"], "60000")

    def test_failures(self):
        for arguments, text in (("count=x", "Illegal value: count=x"), ("nonsense=1", "Unrecognized option"),
                                ("count=1 fail=1", "told to fail")):
            job = self.done(self.service.jobs.create("| sdkgenerate " + arguments))
            self.assertEqual(job["isFailed"], "1", arguments)
            self.assertIn(text, str(job["messages"]))


class PersistentHandler(Case):
    def test_request_block(self):
        reply = self.service.post("echo/part", owner="nobody", app="fixture", body="{}", arg=["1", "2"],
                                  headers=[("Content-Type", "application/json")])
        block = json.loads(reply.body.read())
        self.assertEqual(block["path_info"], "part")
        self.assertEqual(block["ns"], {"user": "nobody", "app": "fixture"})
        self.assertEqual(block["session"]["user"], "admin")


if __name__ == "__main__":
    unittest.main()
